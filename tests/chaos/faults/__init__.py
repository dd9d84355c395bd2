"""The faults, a module each; `tests.chaos.registry` names them."""
