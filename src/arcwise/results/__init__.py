"""What a learner hands back, and how it is printed."""
