"""Assets: pictures that are uploaded, published with scripts, shown and handed out."""
