"""What people read, by code and in their language: gettext catalogues and how they are read."""
