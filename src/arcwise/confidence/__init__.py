"""How sure a learned network is: the same method on resampled rows, or on draws of what is hidden."""
