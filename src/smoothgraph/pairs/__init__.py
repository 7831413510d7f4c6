"""Candidate pairs and their distances."""
