"""Studies of the first move: the runner, estimates from its totals, and plots."""
