"""Where the code of PYTHON nodes runs: two tiers, and none where a machine has neither (D9)."""
