"""Playout policies that users write: Python functions over sets of points, compiled, or interpreted slowly."""
