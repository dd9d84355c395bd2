"""Turns: storing inputs, one driver per session, and one attempt under a lease (ARCHITECTURE section 4)."""
