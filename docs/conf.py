"""The documentation site, built by ``make docs``."""

project = "Palena"
author = "The Palena authors"
extensions = ["myst_parser"]
html_theme = "furo"
html_title = "Palena"
exclude_patterns = ["_build"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
suppress_warnings = ["myst.header"]
