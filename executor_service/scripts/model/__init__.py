"""The script language: each mapping stated once, and what is said about it."""
