"""Chromium, headless, driven by selenium with Debian's chromedriver."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_FOUND = map(shutil.which, ("chromium", "google-chrome", "chromium-browser"))
CHROMIUM = next((path for path in _FOUND if path and not path.startswith("/snap/")), None)  # a snap has its own /tmp
DRIVER = shutil.which("chromedriver")


@contextmanager
def chromium(folder: Path) -> Iterator[Any]:
    """A browser whose downloads go to `folder`."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM or ""
    for argument in (
        "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,900",
        f"--user-data-dir={folder / 'profile'}",
    ):  # fmt: skip
        options.add_argument(argument)
    automatic = {"profile.default_content_setting_values.automatic_downloads": 1}
    options.add_experimental_option("prefs", {"download.default_directory": str(folder), **automatic})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    try:
        yield browser
    finally:
        browser.quit()


def emulate(browser: Any, width: int = 1280, height: int = 900, *, dark: bool = False) -> None:
    """Give the browser a screen of this size and a theme."""
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    theme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [theme]})
