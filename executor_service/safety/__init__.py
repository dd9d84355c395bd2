"""What the executor does with the crisis screen: alerts, the opt-out, the inputs of a turn."""
