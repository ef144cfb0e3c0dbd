"""The compiled board with strings, one game at a time."""
