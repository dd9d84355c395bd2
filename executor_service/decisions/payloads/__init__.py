"""What each type of decision carries, as strict models."""
