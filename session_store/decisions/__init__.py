"""What a step or an operator decides: its events, and how a decision stands; pure."""
