"""How fast foogo is on this machine, and whether it plays the right games."""
