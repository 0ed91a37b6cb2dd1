"""Tables of counts, and sums over their cells."""
