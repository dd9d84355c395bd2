"""`make chaos`: real processes are killed, stopped, cut off; one checker reads what they left."""
