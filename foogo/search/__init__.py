"""The search: Monte Carlo tree search over lockstep playouts. docs/explanation/search.md explains it.

`foogo.search.search` has `Search`, `result` what it answers, `parameters` every number that can be changed, and
`patterns` the 3x3 patterns of the priors, `restrictions` moves to leave out, `history` what was on the board before,
`shared_tree` and `threads` what grows and what is stopped. The compiled part is `foogo.search.kernels.loop` and its
neighbours.
"""
