"""Rules: boards, positions, and the engines, kernels and descriptions of the games."""
