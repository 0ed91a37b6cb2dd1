"""Orders of columns and the parents that go with them: best order score search."""
