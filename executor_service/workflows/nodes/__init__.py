"""What the nodes of a workflow do when they run; import its modules where a run needs them."""
