"""Every environment variable of the service, in one place.

Values are checked when they are read; a bad one is a :class:`SettingsError` that names the variable and what it takes.
"""
