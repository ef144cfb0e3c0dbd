"""Monte Carlo tree search over lockstep playouts. docs/explanation/search.md says how it works and how strong it is.

`search` has `Search`, `result` its results, and `parameters` every number that can be changed. `restrictions` excludes
moves, `learned_prior` has the weights of the priors, and `root` reads the tree. `game_position`, `shared_tree` and
`threads` prepare a run. The compiled part is `kernels`: start with `kernels.tiles`, where the tree is laid out, and
`kernels.loop`, where leaves are gathered, played and backed up.
"""
