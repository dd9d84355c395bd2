"""The command line: its parser, the arguments of each command, how it was called."""
