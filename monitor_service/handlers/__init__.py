"""One handler per action type: what it reads, asks the model, and hands to the next prompt."""
