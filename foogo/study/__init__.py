"""Studies of the first move: the runner, the estimates made of its totals, and the plots."""
