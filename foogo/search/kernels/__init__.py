"""The compiled tree search: the tree, selection, growth, priors, backup."""
