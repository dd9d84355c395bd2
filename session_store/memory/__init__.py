"""The store in memory: the same contract with nothing durable, for tests and trials."""
