"""What the parts promise each other: protocols, results, progress, background knowledge, specifications."""
