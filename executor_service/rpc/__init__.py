"""The rpcs of ExecutorService, by noun; each turns a request into domain values and back."""
