"""Everything between the engine and a language model: port, adapters, replies, templates."""
