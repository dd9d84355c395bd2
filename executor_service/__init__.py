"""The executor service: owns sessions and runs scripts."""
