"""Estimates with intervals, comparisons and Elo, from counts and histograms of scores. No rules of Go."""
