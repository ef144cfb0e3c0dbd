"""Compiled code of the batched environment."""
