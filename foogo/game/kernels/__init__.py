"""The compiled board with incremental strings, for one game at a time."""
