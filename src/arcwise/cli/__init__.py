"""The command line: one file a command, wired together in commands.py and run by main.py."""
