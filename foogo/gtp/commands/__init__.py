"""The commands, a module for each family. A function has the name of its command, with ``_`` for ``-``.

Each takes the session and the call and returns the answer's text.
"""
