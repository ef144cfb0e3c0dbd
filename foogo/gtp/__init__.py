"""The Go Text Protocol: `foogo gtp`. docs/reference/gtp.md lists every command.

From the bottom up:

- `protocol`: lines, commands and answers, without any Go
- `channel`: the thread that reads lines, and the only place that writes
- `dispatcher`: exactly one answer per command
- `session`: the state that all commands share
- `parsing`: arguments as colours, points and numbers
- `analysis_request`, `analysis_lines`: what analysis commands take and write
- `parameters`: the parameters of play by name
- `command_table`: every command by name
- `commands`: a module per family of commands
"""
