"""Scripts of the older dialect, written anew in the language of today."""
