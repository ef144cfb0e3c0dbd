"""Exact values of small boards: `solve` here, and `proof`, which checks a saved result move by move."""

from foogo.solver.solution import Solution, Unsolved, solve

__all__ = ["Solution", "Unsolved", "solve"]
