"""The compiled solvers of small boards."""
