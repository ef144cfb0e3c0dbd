"""Measurements of foogo's speed on this machine, and checks of the games it plays."""
