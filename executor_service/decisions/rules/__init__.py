"""What the coordinator holds a decision to, a module for each kind of rule."""
