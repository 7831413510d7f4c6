"""Small tools that every part of the package may use."""
