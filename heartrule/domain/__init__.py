"""The terms of HeartRule: frozen values, enums and pure functions; nothing here does I/O."""
