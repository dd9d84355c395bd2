"""From the bytes of a bundle to a script."""
