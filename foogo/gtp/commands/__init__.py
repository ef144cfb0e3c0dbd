"""The commands, a module per family. A function has the name of its command, with ``_`` for ``-``.

Each takes the session and the call, and returns the text of the answer.
"""
