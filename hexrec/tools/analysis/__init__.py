"""Analysis of games: proved and estimated values, turning points, puzzles, and the openings of small boards."""
