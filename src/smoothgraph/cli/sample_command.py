"""``smoothgraph sample``: small tables to try the program on."""

from typing import Annotated

import typer

from smoothgraph.cli.output_options import OutputOptions
from smoothgraph.cli.target_options import Force, check_suffix, check_targets, target_option
from smoothgraph.support.input_error import InputError


def sample(
    name: Annotated[str | None, typer.Argument(help="A sample. Without a name, the samples are listed.")] = None,
    *,
    out: Annotated[
        str | None, target_option("--out", "-o", help="A CSV file, or - for standard output.", show_default="NAME.csv")
    ] = None,
    force: Force = False,
    output: OutputOptions,
) -> None:
    """Write a small table to try the program on. No network is needed."""
    from smoothgraph.cli.samples import SAMPLES
    from smoothgraph.cli.write_rows import write_rows

    if name is None:
        if out is not None:
            raise InputError(f"--out needs the name of a sample: {', '.join(SAMPLES)}.")
        _list(output)
        return
    if name not in SAMPLES:
        raise InputError(f"Expected a sample, which is one of {', '.join(SAMPLES)}, got {name!r}.")
    target = f"{name}.csv" if out is None else out
    check_targets("-", target, force=force)
    check_suffix(target, ".csv")
    output.check_stdout(target)
    header, rows = SAMPLES[name].make()
    write_rows(target, header, rows)
    facts = {"rows": len(rows), "columns": len(header), "source": SAMPLES[name].source, "written": target}
    output.print_facts(f"The sample {name}", facts, to_stderr=target == "-")
    if target != "-":
        output.print_notes([f"To use it: {SAMPLES[name].command.format(file=target)}"])


def _list(output: OutputOptions) -> None:
    """Print what samples there are."""
    from smoothgraph.cli.samples import SAMPLES

    output.print_facts(
        "Samples: smoothgraph sample NAME",
        {name: f"{sample.what} ({sample.source})" for name, sample in SAMPLES.items()},
    )
