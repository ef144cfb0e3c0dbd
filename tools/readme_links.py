"""The README as the package index shows it: its links, relative in the repository, lead to the repository's site."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class ReadmeLinks(MetadataHookInterface):  # type: ignore[misc]  # hatchling is only installed while pip builds
    """Sets the package's ``readme``; pip runs this with each build."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the README, with absolute links, to the ``metadata``."""
        site = metadata["urls"]["Source"]
        root = Path(self.root)

        def absolute(link: re.Match[str]) -> str:
            start, path = link.groups()
            kind = "raw" if start == 'src="' else "blob"
            return f"{start}{site}/{kind}/main/{path}" if (root / path).exists() else link[0]

        text = (root / "README.md").read_text(encoding="utf-8")
        text = re.sub(r'(\]\(|src=")([^)"#]+)', absolute, text)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
