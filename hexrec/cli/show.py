"""`hexrec show`: draw the board at any ply, or a whole game as an animation."""

from __future__ import annotations

import sys
from pathlib import Path

from rich.console import Console

from hexrec import render
from hexrec.cli import OUTPUT, PICTURES, flag, option, options, outputs
from hexrec.cli.console import echo
from hexrec.cli.inputs import OneRecord
from hexrec.record.replay import replay
from hexrec.render.terminal import STONES, color_view
from hexrec.render.theme import Labels, Theme
from hexrec.rules.board import SYSTEMS, System
from hexrec.rules.board_text import LETTERS
from hexrec.util.escaping import without_escaping
from hexrec.validation.verdict import check_record

EXAMPLES = (
    ("hexrec show game.yaml --ply 4", "Draw the board after four turns."),
    (
        "hexrec show game.yaml --svg board.svg --html game.html",
        "Write the last position as SVG and the game as a page.",
    ),
)


def command(
    inputs: OneRecord,
    to_svg: Path | None = option("--svg FILE", "Write the board as SVG.", OUTPUT),
    to_png: Path | None = option("--png FILE", "Write the board as PNG.", OUTPUT),
    to_html: Path | None = option("--html FILE", "Write the whole game as an HTML page.", OUTPUT),
    animate: Path | None = option(
        "--animate FILE", "Write the game up to --ply as an animation: .svg or .gif.", OUTPUT
    ),
    coordinates: System | None = options.choice(
        "--coordinates SYSTEM", SYSTEMS, "Name cells in {names} [default: as the record].", PICTURES
    ),
    theme: Theme = options.choice(
        "--theme THEME", render.THEMES, "Set the colors of pictures: {names}.", PICTURES, default="auto"
    ),
    labels: Labels = options.choice(
        "--labels WHERE", render.LABELS, "Label cells in pictures: {names}.", PICTURES, default="ends"
    ),
    width: int | None = option("--width PIXELS", "Set the width of pictures.", PICTURES, min=16, max=10_000),
    marks: bool | None = option("--marks/--no-marks", "Show the effects of the last turn, and marks.", PICTURES),
    caption: bool = flag("--caption/--no-caption", "Write a caption below a picture.", PICTURES, True),
    background: bool = flag("--background/--no-background", "Fill the background of a picture.", PICTURES, True),
    seconds: float = option(
        "--seconds SECONDS", "Set the time for each turn of an animation.", PICTURES, default=1.0, min=0.05, max=60
    ),
) -> None:
    """Draw the board after the last turn, or after any other. Cells that the turn changed are in brackets.

    Marks show the effects of the last turn, the deciding cells and the marks of the record. By default, pictures and
    terminals show all of them, other outputs only the marks of the record.

    If a turn is illegal, the position before it is drawn, the reason follows, and the exit code is 1. PNG and GIF need
    the extra `pictures`.
    """
    for file, name, endings in (
        (to_svg, "svg", (".svg",)),
        (to_png, "png", (".png",)),
        (to_html, "html", (".html", ".htm")),
    ):
        outputs.format_of_file(file, name, {name: endings}, hint=f"--{name}")
    animation = outputs.format_of_file(animate, None, {"svg": (".svg",), "gif": (".gif",)}, choice="", hint="--animate")
    game = inputs.load()
    if to_html is not None:
        from hexrec.web.assembly import static_page  # takes 10 ms, and pictures do not need it

        page = static_page(check_record(game), inputs.ply, coordinates=coordinates, theme=theme, labels=labels)
        _write(to_html, page.encode())
    final = replay(game, inputs.ply)
    if final.position is not None:
        view = render.view_of(game, final.plies, coordinates)
        style = render.Style(theme, labels, marks is not False, caption, width, background)
        if to_svg is not None:
            _write(to_svg, render.svg(view, style).encode())
        if to_png is not None:
            _write(to_png, render.png(view, style))
        if animate is not None:
            frames = list(render.views(game, final.plies, coordinates))
            if animation == "svg":
                _write(animate, render.animated_svg(frames, style, seconds).encode())
            else:
                _write(animate, render.gif(frames, style, seconds))
        if not (to_svg or to_png or animate or to_html):
            _print(view, marks)
    if final.failure is not None:
        echo(str(final.failure))
        raise SystemExit(1)


def _write(path: Path, picture: bytes) -> None:
    with outputs.binary(None if str(path) == "-" else path) as out:
        out.write(picture)


def _print(view: render.View, marks: bool | None) -> None:
    """Print the board, in color if the terminal supports it."""
    console = Console(file=without_escaping(sys.stdout), soft_wrap=True)
    colored = console.is_terminal and not console.no_color and console.color_system
    marked = console.is_terminal if marks is None else marks
    text = color_view(view, marked=marked, mentioned=marks is not False, letters=STONES if colored else LETTERS)
    if colored:
        console.print(text, end="")
    else:
        print(text.plain, end="")
