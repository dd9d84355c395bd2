"""The `heartrule` command: the top layer; it alone may import the services, nothing imports it."""
