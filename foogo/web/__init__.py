"""foogo in the browser: `server` serves a page, `session` answers its messages, `worker` does the heavy work.

docs/reference/web.md defines the messages. A page holds its own game. Every message carries all that its answer depends
on, so the server keeps nothing between messages but the running jobs.
"""

PORT = 8370
"""The usual port of `foogo web`."""
