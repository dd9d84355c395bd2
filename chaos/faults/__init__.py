"""The faults, a module each; `chaos.registry` names them."""
