"""One module per command: composition only, each ends with an exit code."""
