pytest_plugins = ["pytest_backlot.plugin", "pytester"]
