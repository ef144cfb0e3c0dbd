"""Studies on disk: the store, the claims of the processes that play, merging, export."""
