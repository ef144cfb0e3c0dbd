"""Studies on disk: the store, who works on what, merging, export."""
