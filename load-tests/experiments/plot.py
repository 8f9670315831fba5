"""Plot of the flows as SVG: throughput on the lossy link on a logarithmic scale, and queueing delay in the deep buffer."""
import math
from html import escape

COLOURS = {"cubic": "#e0957b", "bbr": "#3f8f78"}
WIDTH, PANEL, LEFT, SCALE = 920, 250, 80, 620


class Panel:
    def __init__(self, top, title, seconds, marks, height):
        self.top, self.title, self.seconds, self.marks, self.height = top, title, seconds, marks, height
        self.end = top + 30 + PANEL - 90

    def x(self, second):
        return LEFT + second / self.seconds * SCALE

    def y(self, value):
        return self.end - self.height(value) * (PANEL - 90)

    def draw(self, lines, unit):
        parts = [f'<text x="20" y="{self.top + 10}" font-weight="600">{escape(self.title)}</text>']
        for mark in self.marks:
            y = self.y(mark)
            parts.append(f'<path d="M{LEFT} {y:.1f}h{SCALE}" stroke="#e6e9ed"/>'
                         f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end" fill="#57606a">{mark:g} {unit}</text>')
        for second in range(0, self.seconds + 1, 2):
            parts.append(f'<text x="{self.x(second):.1f}" y="{self.end + 18}" text-anchor="middle" fill="#57606a">{second} s</text>')
        placed = []
        for label, control, dashes, points in sorted(lines, key=lambda line: -self.height(line[3][-1][1])):
            path = " ".join(f"{self.x(second):.1f},{self.y(value):.1f}" for second, value in points)
            parts.append(f'<polyline points="{path}" fill="none" stroke="{COLOURS[control]}" stroke-width="2" stroke-dasharray="{dashes}"/>')
            y = max([self.y(points[-1][1]) + 4] + [other + 16 for other in placed])
            placed.append(y)
            parts.append(f'<text x="{LEFT + SCALE + 10}" y="{y:.1f}" fill="{COLOURS[control]}">{escape(label)}</text>')
        return "\n".join(parts)


def throughput(flow):
    """Returns Mbit/s over each second or so: bytes that the client acknowledged."""
    points, samples = [], flow.samples
    step = 8
    for before, after in zip(samples[::step], samples[step::step]):
        rate = (after["acked"] - before["acked"]) * 8 / (after["time"] - before["time"]) / 1e6
        points.append((after["time"], max(rate, 0.1)))
    return points


def svg(flows):
    lossy = [flow for flow in flows if flow.shape["loss"]]
    deep = [flow for flow in flows if not flow.shape["loss"]]
    name = {"cubic": "CUBIC", "bbr": "BBR"}
    dashes = {"listener": "none", "listener, HTTP/2": "6 3", "upstream": "2 3"}
    upper = Panel(70, "Throughput: " + lossy[0].shape["name"] + " (logarithmic)", lossy[0].seconds, (0.1, 1, 10, 100),
                  lambda value: (math.log10(value) + 1) / 3)
    first = {(flow.way, flow.control): flow for flow in reversed(lossy)}
    rates = [(f"{name[control]}, {way}", control, dashes[way], throughput(flow)) for (way, control), flow in first.items()]
    delays = [(name[f.control], f.control, "none", [(line["time"], line["queue"] * 1000) for line in f.link]) for f in deep[:2]]
    lower = Panel(70 + PANEL, "Queueing delay: " + deep[0].shape["name"], deep[0].seconds, (0, 300, 600, 900, 1200), lambda value: value / 1250)
    height = 70 + 2 * PANEL
    title = "CUBIC and BBR through the gateway"
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img"'
            f' font-family="system-ui, \'DejaVu Sans\', sans-serif" font-size="12" fill="#24292f">\n<title>{title}</title>\n'
            f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>\n<text x="20" y="30" font-size="16" font-weight="600">{title}</text>\n'
            + upper.draw(rates, "Mbit/s") + "\n" + lower.draw(delays, "ms") + "\n</svg>\n")
