"""`foogo warm`: compile ahead."""

from __future__ import annotations

from typing import Annotated

import typer

from foogo.cli.console import text_table


def warm(
    size: Annotated[
        list[int] | None, typer.Option(help="Points on a side; may be repeated. [default: 9 13 19]")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Compile for every playout policy, not only for the usual ones.")
    ] = False,
) -> None:
    """Compile the kernels before they are needed, and show which ones are there."""
    from foogo.core.compiling import WATCH
    from foogo.core.jit import SHIPPED, cache_folder, cache_problem
    from foogo.game.geometry import check_size
    from foogo.playout.policies import POLICIES, STRONGEST
    from foogo.warmup import USUAL_SIZES, groups

    sizes = [check_size(one) for one in size or USUAL_SIZES]
    rows = []
    for name, load in groups(sizes, POLICIES if everything else ("uniform", STRONGEST)).items():
        before, functions = WATCH.seconds, WATCH.functions
        load()
        compiled = WATCH.functions > functions
        rows.append([name, f"compiled in {WATCH.seconds - before:.1f} s" if compiled else "there"])
    print(text_table(["kernels", ""], rows))
    print(f"From the wheel: {SHIPPED.file_name or SHIPPED.problem or 'none'}.")
    problem = cache_problem()
    print(f"Compiled here: {cache_folder() or 'not kept'}{problem and f'; {problem}'}.")
