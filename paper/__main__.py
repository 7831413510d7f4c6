"""Run ``python -m paper``."""

from paper.commands import app

if __name__ == "__main__":
    app(prog_name="python -m paper")
