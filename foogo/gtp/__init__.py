"""The Go Text Protocol: `foogo gtp`. docs/reference/gtp.md lists every command.

From the bottom up: `protocol` and `channel` read lines and write answers. `dispatcher` answers each command once.
`session` is what commands share. `command_table` names the function in `commands` that carries each command out.
"""
