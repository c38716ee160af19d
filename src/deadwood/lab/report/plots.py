"""Plots as plotly figures. Texts are escaped here, because plotly interprets tags in them."""

from collections.abc import Sequence
from html import escape
from typing import Any

from msgspec import Struct

from .estimates import Estimate
from .palette import DASHES, LIGHT, SERIES, SYMBOLS, faint
from .wording import Format, cut, decimal, interval, percent

Figure = dict[str, Any]
Trace = dict[str, Any]
FONTS = "Seravek, 'Gill Sans Nova', Ubuntu, Calibri, 'DejaVu Sans', source-sans-pro, sans-serif"
_HEIGHT, _ROW, _MARGIN = 310, 34, 64  # pixels
_LONGEST_LABEL = 18
_FILLED = 4  # more outlines than this are clearer without fill
_ROUND = [digit * 10.0**power for power in range(-4, 5) for digit in (1, 2, 5)]  # ticks of a logarithmic axis


class Series(Struct, frozen=True):
    """A series of estimates by their position on the axis."""

    name: str
    points: Sequence[tuple[float, Estimate]]
    style: int = 0

    @property
    def colour(self) -> str:
        """The colour of this style in all plots."""
        return SERIES[self.style]


def safe(text: str) -> str:
    """A text that plotly shows literally."""
    return escape(text, quote=False)


def dots(labels: Sequence[str], series: Sequence[Series], unit: str, form: Format, expected: float | None) -> Figure:
    """Values with intervals, one row per label; the expected value is a dashed line."""
    taken = [place for one in series for place, _ in one.points]
    beside = len(series) if len(taken) > len(set(taken)) else 1  # several per row
    traces = [_dots(one, _offset(at, beside), labels, form) for at, one in enumerate(series)]
    layout = _layout(_MARGIN + _ROW * len(labels) * max(1.0, 0.62 * beside), legend=beside > 1)
    layout["xaxis"] = _axis(unit, form)
    layout["yaxis"] = _names_axis(labels)
    layout |= {"shapes": [_expected_line(expected)]} if expected is not None else {}
    return {"data": traces, "layout": layout}


def _dots(series: Series, offset: float, labels: Sequence[str], form: Format) -> Trace:
    estimates = [estimate for _, estimate in series.points]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": safe(series.name),
        "x": [estimate.value for estimate in estimates],
        "y": [place + offset for place, _ in series.points],
        "error_x": _whiskers(estimates, series.colour),
        "marker": {"color": series.colour, "size": 11, "symbol": SYMBOLS[series.style]},
        "hoverinfo": "text",
        "hovertext": [_hover(series.name, labels[int(place)], estimate, form) for place, estimate in series.points],
    }


def _offset(place: int, count: int) -> float:
    return (place - (count - 1) / 2) * 0.6 / count if count > 1 else 0.0


def _whiskers(estimates: Sequence[Estimate], colour: str) -> Trace:
    bounded = [estimate if estimate.is_bounded else Estimate(0, 0, 0) for estimate in estimates]
    return {
        "type": "data",
        "symmetric": False,
        "array": [estimate.high - estimate.value for estimate in bounded],
        "arrayminus": [estimate.value - estimate.low for estimate in bounded],
        "color": colour,
        "thickness": 2,
        "width": 5,
    }


def _hover(series: str, label: str, estimate: Estimate, form: Format) -> str:
    named = ", ".join(dict.fromkeys(filter(None, (label, series))))
    value = safe(f"{named}: {form(estimate.value)}")
    return value if estimate.is_exact else f"{value}<br>95%: {interval(estimate, form)}"


def lines(series: Sequence[Series], across: str, unit: str, form: Format, steps: bool = False) -> Figure:
    """Values along an axis, with intervals as bands, or as whiskers if the axis has discrete steps."""
    traces = [trace for one in series for trace in ([_line(one, form, steps)] if steps else _banded(one, form))]
    layout = _layout(_HEIGHT, legend=len(series) > 1)
    layout["xaxis"] = _axis(across, None) | ({"dtick": 1} if steps else {})
    layout["yaxis"] = _axis(unit, form)
    return {"data": traces, "layout": layout}


def _line(series: Series, form: Format, whiskers: bool) -> Trace:
    estimates = [estimate for _, estimate in series.points]
    places = [place for place, _ in series.points]
    trace = {
        "type": "scatter",
        "mode": "lines+markers" if whiskers else "lines",
        "name": safe(series.name),
        "x": places,
        "y": [estimate.value for estimate in estimates],
        "line": {"color": series.colour, "width": 2.5, "dash": DASHES[series.style]},
        "marker": {"color": series.colour, "size": 9, "symbol": SYMBOLS[series.style]},
        "hoverinfo": "text",
        "hovertext": [
            _hover(series.name, decimal(place).removesuffix(".00"), estimate, form) for place, estimate in series.points
        ],
    }
    return trace | ({"error_y": _whiskers(estimates, series.colour)} if whiskers else {})


def _banded(series: Series, form: Format) -> list[Trace]:
    bounded = [(place, estimate) for place, estimate in series.points if estimate.is_bounded]
    there, back = bounded, bounded[::-1]
    band = {
        "type": "scatter",
        "mode": "lines",
        "x": [place for place, _ in (*there, *back)],
        "y": [*(estimate.high for _, estimate in there), *(estimate.low for _, estimate in back)],
        "fill": "toself",
        "fillcolor": faint(series.colour),
        "line": {"width": 0},
        "hoverinfo": "skip",
        "showlegend": False,
    }
    return [band, _line(series, form, whiskers=False)]


def hills(series: Sequence[Series], across: str) -> Figure:
    """Overlaid distributions."""
    traces = []
    for one in series:
        line = _line(one, percent, whiskers=False)
        line["line"] |= {"shape": "spline", "smoothing": 0.6}
        traces.append(line | ({"fill": "tozeroy", "fillcolor": faint(one.colour)} if len(series) <= _FILLED else {}))
    layout = _layout(_HEIGHT, legend=len(series) > 1)
    layout["xaxis"] = _axis(across, None)
    layout["yaxis"] = _axis("share of players", percent) | {"rangemode": "tozero"}
    return {"data": traces, "layout": layout}


def stacks(labels: Sequence[str], parts: Sequence[tuple[str, Sequence[float]]], totals: Sequence[float]) -> Figure:
    """Stacked bars, one per label, with negative parts to the left of zero."""
    places = list(range(len(labels)))
    bars = [_bar(name, values, places, SERIES[at]) for at, (name, values) in enumerate(parts)]
    total = {
        "type": "scatter",
        "mode": "markers",
        "name": "score",
        "x": list(totals),
        "y": places,
        "marker": {
            "symbol": "diamond",
            "size": 13,
            "color": LIGHT["ink"],
            "line": {"width": 2, "color": LIGHT["card"]},
        },
        "hoverinfo": "text",
        "hovertext": [f"score: {decimal(value)}" for value in totals],
    }
    layout = _layout(_MARGIN + 46 * len(labels), legend=True) | {"barmode": "relative", "bargap": 0.35}
    layout["xaxis"] = _axis("points a player", None) | {"zeroline": True, "zerolinecolor": LIGHT["muted"]}
    layout["yaxis"] = _names_axis(labels)
    return {"data": [*bars, total], "layout": layout}


def _bar(name: str, values: Sequence[float], places: list[int], colour: str) -> Trace:
    return {
        "type": "bar",
        "orientation": "h",
        "name": safe(name),
        "x": list(values),
        "y": places,
        "marker": {"color": colour, "line": {"width": 1, "color": LIGHT["card"]}},
        "hoverinfo": "text",
        "hovertext": [f"{safe(name)}: {decimal(value)}" for value in values],
        "textposition": "none",
    }


def spans(labels: Sequence[str], means: Series, middles: Sequence[tuple[float, float]], unit: str) -> Figure:
    """Means with intervals, over a wide bar for the span of most values."""
    figure = dots(labels, [means], unit, decimal, None)
    for place, (low, high) in enumerate(middles):
        span = {"type": "scatter", "mode": "lines", "x": [low, high], "y": [place, place], "hoverinfo": "skip"}
        figure["data"].insert(0, span | {"line": {"width": 16, "color": faint(means.colour)}, "showlegend": False})
    low, high = min(low for low, _ in middles), max(high for _, high in middles)
    edge = (high - low) / 12 or 1
    figure["layout"]["xaxis"]["range"] = [low - edge, high + edge]
    return figure


def heat(blocks: Sequence[tuple[str, Sequence[Sequence[Estimate | None]]]], across: str, down: str) -> Figure:
    """Shares as heat maps, one per name, stacked vertically; cells without data are empty."""
    layout = _layout(50 + 230 * len(blocks), legend=False) | {"annotations": []}
    traces = []
    for at, (name, rows) in enumerate(blocks):
        number = "" if at == 0 else str(at + 1)
        top = 1 - at / len(blocks)
        height = 1 / len(blocks)
        traces.append(_cells(rows, number))
        layout[f"xaxis{number}"] = _axis(across, None) | {"dtick": 1, "anchor": f"y{number}", "showgrid": False}
        domain = [top - height + 0.24 * height, top - 0.14 * height]
        plain = {"dtick": 1, "showgrid": False, "domain": domain, "autorange": "reversed", "ticks": ""}
        layout[f"yaxis{number}"] = _axis(down, None) | plain | {"anchor": f"x{number}"}
        layout["annotations"].append(_block_name(name, domain[1]))
    return {"data": traces, "layout": layout}


def _cells(rows: Sequence[Sequence[Estimate | None]], number: str) -> Trace:
    return {
        "type": "heatmap",
        "z": [[cell.value if cell else None for cell in row] for row in rows],
        "y": [2 + at for at in range(len(rows))],
        "text": [[f"{100 * cell.value:.0f}%" if cell else "" for cell in row] for row in rows],
        "texttemplate": "%{text}",
        "hovertext": [[f"95%: {interval(cell, percent)}" if cell else "" for cell in row] for row in rows],
        "hoverinfo": "text",
        "hoverongaps": False,
        "colorscale": [[0, LIGHT["line"]], [1, LIGHT["rust"]]],
        "zmin": 0,
        "zmax": 1,
        "xgap": 3,
        "ygap": 3,
        "showscale": False,
        "xaxis": f"x{number}",
        "yaxis": f"y{number}",
    }


def _block_name(name: str, top: float) -> Trace:
    place = {"x": 0, "y": top, "xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom"}
    return place | {"text": f"<b>{safe(cut(name, 40))}</b>", "showarrow": False, "font": {"size": 14}}


def cloud(groups: Sequence[tuple[str, Sequence[tuple[str, float, Estimate]]]], across: str, unit: str) -> Figure:
    """A scatter plot of named things by two measures; each group has its own colour and symbol."""
    traces = []
    for at, (name, things) in enumerate(groups):
        hovers = [_hover("", thing, estimate, decimal) for thing, _, estimate in things]
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": safe(name),
                "x": [often for _, often, _ in things],
                "y": [estimate.value for _, _, estimate in things],
                "error_y": _whiskers([estimate for _, _, estimate in things], faint(SERIES[at])),
                "marker": {"color": SERIES[at], "size": 8, "symbol": SYMBOLS[at], "opacity": 0.85},
                "hoverinfo": "text",
                "hovertext": hovers,
            }
        )
    layout = _layout(400, legend=True)
    layout["xaxis"] = _axis(across, None) | {
        "type": "log",
        "tickvals": _ROUND,
        "ticktext": [f"{at:g}" for at in _ROUND],
    }
    layout["yaxis"] = _axis(unit, decimal) | {"rangemode": "tozero"}
    return {"data": traces, "layout": layout}


def _layout(height: float, legend: bool) -> dict[str, Any]:
    return {
        "height": round(height),
        "autosize": True,
        "margin": {"l": 8, "r": 14, "t": 8, "b": 8},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": FONTS, "size": 13, "color": LIGHT["ink"]},
        "showlegend": legend,
        "hoverlabel": {"bgcolor": LIGHT["card"], "bordercolor": LIGHT["muted"], "font": {"color": LIGHT["ink"]}},
        "hovermode": "closest",
        "dragmode": False,
    }


def _axis(title: str, form: Format | None) -> dict[str, Any]:
    return {
        "title": {"text": safe(title), "standoff": 8, "font": {"size": 12, "color": LIGHT["muted"]}},
        "tickformat": ",.1~%" if form is percent else "",
        "tickfont": {"color": LIGHT["muted"], "size": 12},
        "gridcolor": LIGHT["line"],
        "zeroline": False,
        "automargin": True,
        "fixedrange": True,
        "nticks": 5,
        "tickangle": 0,
    }


def _names_axis(labels: Sequence[str]) -> dict[str, Any]:
    return {
        "tickvals": list(range(len(labels))),
        "ticktext": [safe(cut(label, _LONGEST_LABEL)) for label in labels],
        "range": [len(labels) - 0.5, -0.5],
        "showgrid": False,
        "zeroline": False,
        "automargin": True,
        "fixedrange": True,
    }


def _expected_line(value: float) -> dict[str, Any]:
    line = {"color": LIGHT["muted"], "width": 1.5, "dash": "dash"}
    return {"type": "line", "x0": value, "x1": value, "yref": "paper", "y0": 0, "y1": 1, "line": line, "layer": "below"}
