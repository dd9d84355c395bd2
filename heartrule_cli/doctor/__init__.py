"""What `heartrule doctor` looks at, one module for each section of its page."""
