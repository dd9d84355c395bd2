"""Exit decisions: four sources in one order, and their classification (document 001)."""
