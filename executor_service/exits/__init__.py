"""When an action ends: four sources in one order, and the classification of it (document 001)."""
