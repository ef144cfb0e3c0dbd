"""The option ``--policy`` of several commands: a name, or a policy in a file."""

from __future__ import annotations

FROM_FILE = "or FILE.py:NAME, which executes the file"
"""What help texts say about policies that users wrote."""


def chosen_policy(text: str) -> str:
    """The name of a policy, for functions that take one, never an alias. For ``FILE.py:NAME`` the file is executed.

    Raises
    ------
    PolicyError
        If the file cannot be read, fails, or has no such policy.
    """
    from foogo.playout.policies import ALIASES
    from foogo.playout.written.policy import is_file_policy, load_policy

    return load_policy(text).label if is_file_policy(text) else ALIASES.get(text, text)
