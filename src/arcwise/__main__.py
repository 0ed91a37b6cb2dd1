"""`python -m arcwise`: the same as the `arcwise` command."""

from arcwise.cli.main import run

if __name__ == "__main__":
    run()
