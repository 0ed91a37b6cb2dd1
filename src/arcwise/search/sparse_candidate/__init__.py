"""The sparse candidate algorithm: few possible parents for each column (Friedman, Nachman and Pe'er 1999)."""
