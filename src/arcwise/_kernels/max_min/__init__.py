"""Max-min parents and children: whole searches around one target."""
