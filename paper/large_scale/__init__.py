"""Many nodes: what the method of Kalofolias and Perraudin (2019) misses, and how long an exact graph takes."""
