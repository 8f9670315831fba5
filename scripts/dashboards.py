"""Draws the dashboards from what Prometheus returned for their panels: one contact sheet each. scripts/prometheus --draw runs it.

  dashboards.py FOLDER OUTPUT     files of FOLDER are those of PrometheusIT; OUTPUT gets a PNG for each
"""
import json
import math
import re
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter
from PIL import Image

COLUMNS = 5
MOST_SERIES = 24  # of one panel; the others would only be a blur


def scaled(value, steps, units):
    size = abs(value)
    for step, unit in zip(steps, units):
        if size >= step:
            return f"{value / step:.3g}{unit}"
    return f"{value:.3g}"


def formatted(value, unit):
    if unit == "s":
        return "∞" if math.isinf(value) else scaled(value, (86400, 3600, 1, 1e-3, 1e-6), (" d", " h", " s", " ms", " µs"))
    if unit == "percentunit":
        return f"{value * 100:.3g} %"
    if unit in ("bytes", "Bps"):
        return scaled(value, (1 << 30, 1 << 20, 1 << 10), (" GiB", " MiB", " KiB"))
    return scaled(value, (1e9, 1e6, 1e3), ("G", "M", "k"))


def number(text):
    value = float(text)
    return value if math.isfinite(value) else math.nan


def legend(pattern, labels):
    return re.sub(r"{{\s*(\w+)\s*}}", lambda m: labels.get(m.group(1), ""), pattern)


def heatmap(axes, panel, start):
    rows = sorted(((number(s["metric"].get("le", "inf")) if s["metric"].get("le") != "+Inf" else math.inf, s["values"])
                   for t in panel["targets"] for s in t["series"]), key=lambda r: r[0])
    times = sorted({t for _, values in rows for t, _ in values})
    total = [[dict(values).get(t, "0") for t in times] for _, values in rows]
    cells = [[number(v) for v in row] for row in total]
    # Prometheus' buckets are cumulative.
    cells = [[max(0, a - b) for a, b in zip(row, before)] for row, before in zip(cells, [[0] * len(times), *cells])]
    axes.imshow(cells, aspect="auto", origin="lower", cmap="magma", extent=(times[0] - start, times[-1] - start, 0, len(rows)))
    axes.set_yticks(range(0, len(rows), 4), [formatted(rows[i][0], "s") for i in range(0, len(rows), 4)], fontsize=5)


def lines(axes, panel, start):
    drawn = 0
    for target in panel["targets"]:
        for series in target["series"][:MOST_SERIES]:
            points = [(t - start, number(v)) for t, v in series["values"]]
            axes.plot(*zip(*points), linewidth=0.9, label=legend(target["legend"], series["metric"])[:28] or None)
            drawn += 1
    if 1 < drawn and any(t["legend"] for t in panel["targets"]):
        axes.legend(fontsize=4, ncols=2, loc="upper left", frameon=False, labelspacing=0.1, handlelength=1)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda v, _: formatted(v, panel["unit"])))


def draw(board, output):
    rows = math.ceil(len(board["panels"]) / COLUMNS)
    figure, grid = plt.subplots(rows, COLUMNS, figsize=(COLUMNS * 2.5, rows * 1.6), squeeze=False, layout="constrained")
    for axes, panel in zip(grid.flat, board["panels"]):
        (heatmap if panel["type"] == "heatmap" else lines)(axes, panel, board["from"])
        axes.set_title(panel["title"], fontsize=6)
        axes.set_xlim(0, board["to"] - board["from"])
        axes.tick_params(labelsize=5)
        axes.margins(y=0.1)
    for axes in list(grid.flat)[len(board["panels"]):]:
        axes.axis("off")
    figure.suptitle(f"{board['title']}: {len(board['panels'])} panels, {board['to'] - board['from']} s", fontsize=8)
    figure.savefig(output, dpi=110)
    plt.close(figure)
    # A palette takes a third of the room.
    with Image.open(output) as image:
        small = image.convert("RGB").quantize(48)
    small.save(output, optimize=True)
    print(f"{output}: {len(board['panels'])} panels")


def main():
    folder, output = map(Path, sys.argv[1:3])
    output.mkdir(parents=True, exist_ok=True)
    files = sorted(folder.glob("*.json"))
    if not files:
        sys.exit(f"{folder}: no files (expected: those of PrometheusIT)")
    for file in files:
        draw(json.loads(file.read_text()), output / f"dashboard-{file.stem}.png")


main()
