"""Three-phase dependency analysis (Cheng et al. 2002)."""
