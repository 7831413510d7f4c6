"""The reproduction of the paper, and the comparison of its methods."""
