"""Max-min parents and children: the skeletons of MMHC and PMMHC."""
