"""The script language: each mapping stated once, with the texts of messages about it."""
