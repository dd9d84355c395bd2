"""What chaos changes inside the processes it starts; the product's code holds none of it."""
