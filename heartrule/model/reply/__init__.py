"""Reading what a model answered: parser, fields, streaming scanner. All of it is pure."""
