"""The Go Text Protocol: `foogo gtp`. docs/reference/gtp.md lists every command.

Bottom up: `protocol` (lines, commands, answers; no Go in it), `channel` (the thread that reads, the one place that
writes), `engine` (one answer for each command), `session` (what all commands share), `table` (the commands, by name)
and `commands`, a module for each family.
"""
