"""The engine: one coroutine that walks a script's plan, step by step."""
