"""The command line: one file a command, wired together in main.py."""
