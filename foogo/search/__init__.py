"""Monte Carlo tree search over lockstep playouts. docs/explanation/search.md says how it works and how strong it is.

`search` has `Search`, `result` what it finds, and `parameters` every number that can be changed. `restrictions` are
moves to leave out, `learned_prior` the weights of priors, and `root` reads the tree. `game_position`, `shared_tree` and
`threads` prepare a run. The compiled part is `kernels`: begin with `kernels.tiles`, where the tree is laid out, and
`kernels.loop`, where leaves are gathered, played and backed up.
"""
