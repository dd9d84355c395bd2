"""Step hooks: the rules that cut across actions, one file each; bootstrap.py has their order."""
