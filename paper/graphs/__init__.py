"""Which graph is best? Many constructions, many data sets, many tasks: one comparison by the same rules."""
