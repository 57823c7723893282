"""QR codes as one SVG path, and as text for a terminal."""

from __future__ import annotations

import io

import segno

QUIET = 4
"""Modules of empty border; scanners want four."""


def qr_svg_parts(text: str) -> tuple[int, str]:
    """The side of the code in modules, border and all, and the path of its dark modules."""
    code = segno.make(text, error="m", micro=False)
    steps = []
    for y, row in enumerate(code.matrix):
        for x, dark in enumerate(row):
            if dark:
                steps.append(f"M{x + QUIET} {y + QUIET}h1v1h-1z")
    return len(code.matrix) + 2 * QUIET, "".join(steps)


def qr_text(text: str) -> str:
    """The code for a terminal, half a character a module."""
    out = io.StringIO()
    segno.make(text, error="m", micro=False).terminal(out=out, compact=True)
    return out.getvalue()
