"""Handouts: a lesson or a run on paper, as plain pages that print well and need no script."""

import re
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any
from urllib.parse import quote

from dash import html

from components.common.prose import prose
from components.common.run_styles import run_looks
from components.common.settings import digests, texts_of
from components.figures.printed import Curve, loss_picture
from components.pages.lab.routes import has_code
from components.pages.lessons.handout_runs import sheet_question
from components.pages.lessons.parser import Block, Lesson, Listing, Paragraph, Question
from core.config import RunConfig
from core.narrative import number
from core.service import PAPER, RunService


def lesson_handout(lesson: Lesson, figures: Sequence[Any] = (), *, reachable: bool = True) -> list[Any]:
    """Every step with its figure and its questions, to be answered by pencil; the answers are on a page of
    their own."""
    steps = [
        html.Section(
            [
                _code(f"/?lesson={lesson.name}&step={place}", reachable),
                html.H2(f"{place}. {step.title}"),
                figure,
                *(_block(block) for block in step.blocks),
            ],
            className="handout-step",
        )
        for place, (step, figure) in enumerate(zip_longest(lesson.steps, figures), 1)
    ]
    answers = [
        html.Li([html.Strong(f"{place}. "), *_right(block), " ", *prose(block.reveal)])
        for place, step in enumerate(lesson.steps, 1)
        for block in step.blocks
        if isinstance(block, Question)
    ]
    return [
        html.H1(lesson.title),
        html.P(lesson.summary, className="lead"),
        *steps,
        html.P(PAPER, className="note"),
        html.Section([html.H2(f"Answers: {lesson.title}"), html.Ul(answers)], className="handout-answers"),
    ]


def _block(block: Block) -> Any:
    if isinstance(block, Paragraph):
        return html.P(prose(block.text))
    if isinstance(block, Listing):
        return html.Ul([html.Li(prose(item)) for item in block.items])
    options = [html.Li(["☐ ", *prose(text)]) for text, _ in block.options]
    return html.Div([html.P(html.Strong(prose(block.text))), html.Ul(options, className="boxes")])


def _right(question: Question) -> list[Any]:
    return [part for text, right in question.options if right for part in (html.Em(prose(text)), ". ")]


def _code(path: str, reachable: bool) -> Any:
    """The way to the same place in the Lab; where no phone could follow, only the screen says so."""
    if not has_code(path):
        return None
    shown = "handout-code" if reachable else "handout-code on-screen"
    return html.Img(src=f"/qr.svg?path={quote(path, safe='')}", alt="QR code", className=shown)


def run_handout(
    service: RunService,
    race: Sequence[RunConfig],
    query: str,
    client: str,
    origin: str,
    *,
    reachable: bool = True,
) -> list[Any]:
    """A race on one sheet: what was learned, the losses as a picture, how each run ended, its plateaus.

    A query worker reads the runs; NotYetError and others as it raises them.
    """
    looks = {config.run_id: look for config, look in zip(race, run_looks(race), strict=True)}
    named = [(looks[config.run_id]["title"], service.info(config.run_id)) for config in race]
    known = [(title, info) for title, info in named if info is not None and info.frames]
    sheet = service.queries.table(sheet_question([info for _, info in known]), client) if known else {}
    curves = [
        Curve(title, looks[info.id]["colours"]["light"], sheet[info.id]["curve"], looks[info.id]["dash"])
        for title, info in known
    ]
    about = digests(texts_of(query))
    rows = [
        html.Tr(
            [
                html.Td(text)
                for text in (
                    title,
                    number(i.epoch),
                    number(i.loss or 0.0),
                    _ended(i.reason) or i.status,
                )
            ]
        )
        for title, i in known
    ]
    missing = [title for title, info in named if info is None or not info.frames]
    stands = [
        html.Li(
            [
                html.Strong(f"{title}, {number(p['begin'])} to {number(p['end'])}"),
                f", {'at the end' if p['open'] else 'halfway'}: ",
                p["sentence"],
            ]
        )
        for title, info in known
        for p in sheet[info.id]["plateaus"]
    ]
    units = {f" ({config.scale.y_name}²)" if config.scale.y_name else "" for config in race}
    unit = units.pop() if len(units) == 1 else ""
    titles = ("Run", "Epoch", f"Loss{unit}", "How it ended")
    return [
        _code(f"/?{query}", reachable),
        html.H1(f"{about['Method']} on {about['Target']}"),
        html.P(f"{about['Data']}; {about['Network']}.", className="lead"),
        html.P(html.A(html.Code(f"{origin}/?{query}"), href=f"/?{query}")),
        *([loss_picture(curves, f"loss{unit}"), _table(titles, rows)] if known else []),
        *([_not_yet(missing, query)] if missing else []),
        *([html.H2("Plateaus"), html.Ul(stands)] if stands else []),
        html.P(PAPER, className="note"),
    ]


def _not_yet(missing: Sequence[str], query: str) -> html.P:
    return html.P(
        [
            f"Not computed here yet: {', '.join(missing)}. ",
            html.A("Open the link in the Lab", href=f"/?{query}"),
            " to compute it, then come back to this page.",
        ]
    )


def _ended(reason: str) -> str:
    """How a run ended, with its numbers as they stand everywhere else."""
    return re.sub(r"\d+(\.\d+)?e[+-]\d+", lambda found: number(float(found[0])), reason)


def _table(titles: Sequence[str], rows: list[html.Tr]) -> html.Table:
    head = html.Thead(html.Tr([html.Th(title, scope="col") for title in titles]))
    return html.Table([head, html.Tbody(rows)], className="handout-table")
