"""Neighbours: exact search by lower bounds, approximate candidates, pricing."""
