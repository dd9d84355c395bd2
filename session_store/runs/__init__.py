"""What is told of runs of workflows, and the sizes they keep to; pure."""
