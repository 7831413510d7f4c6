"""Run ``python -m paper``."""

from smoothgraph.cli import quiet_interrupts

if __name__ == "__main__":
    with quiet_interrupts():
        from paper.commands import app

        app(prog_name="python -m paper")
