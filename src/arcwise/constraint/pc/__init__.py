"""PC: remove the edges between columns that some set separates, then point what must be pointed."""
