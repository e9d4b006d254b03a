# SPDX-License-Identifier: Apache-2.0
"""Outcomes of variants over the budget, as strips under each other. Part of the plot script; see plot.py."""
from results import OUTCOMES, read_panels

STRIP = 600  # columns of a strip: budgets in equal steps


def strip(points, low, high):
    """The point that speaks for each column: the interval it lies in, or the nearest single budget."""
    out, i = [], 0
    for column in range(STRIP):
        budget = low + (high - low) * (column + 0.5) / STRIP
        while i + 1 < len(points) and budget > points[i]["hi"] and \
                points[i + 1]["lo"] - budget < budget - points[i]["hi"]:
            i += 1
        out.append(points[i])
    return out


def draw_strips(pyplot, options):
    title = options.title
    panels_of = read_panels(options.inputs)
    plt = pyplot()
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LogNorm, to_rgb
    from matplotlib.patches import Patch
    count = len(panels_of)
    columns = 2 if count > 1 else 1
    rows = (count + columns - 1) // columns
    most = max(len(variants) for variants in panels_of.values())
    figure, grid = plt.subplots(rows, columns, figsize=(5.6 * columns + 1.2, (0.75 + 0.17 * most) * rows + 0.5),
                                squeeze=False, layout="constrained")
    if title:
        figure.suptitle(title)
    values = [p["overhead"] for variants in panels_of.values() for points in variants.values() for p in points
              if p["status"] == "ok" and "overhead" in p]
    norm = LogNorm(1, max(1.5, sorted(values)[int(0.98 * (len(values) - 1))]) if values else 2, clip=True)
    colours = plt.get_cmap("Blues")
    seen = set()
    flat_axes = [ax for row in grid for ax in row]
    for ax, (name, variants) in zip(flat_axes, panels_of.items()):
        low = min(points[0]["lo"] for points in variants.values()) / 1e9
        high = max(max(points[-1]["hi"], points[0]["lo"] + 1) for points in variants.values()) / 1e9
        image = []
        for y, points in enumerate(variants.values()):
            cells = strip(points, low * 1e9, high * 1e9)
            image.append([colours(0.15 + 0.85 * norm(p["overhead"]))[:3] if p["status"] == "ok"
                          else to_rgb(OUTCOMES[p["status"]][0]) for p in cells])
            begin = 0
            for x in range(1, STRIP + 1):
                if x < STRIP and cells[x]["status"] == cells[begin]["status"]:
                    continue
                status = cells[begin]["status"]
                seen.add(status)
                if status != "ok":  # also told without colour
                    width = (high - low) / STRIP
                    ax.broken_barh([(low + begin * width, (x - begin) * width)], (y - 0.5, 1), facecolor="none",
                                   edgecolor="#444444", linewidth=0, hatch={"oom": "////", "thrash": "...."}.get(status, "xx"))
                begin = x
        ax.imshow(image, aspect="auto", interpolation="nearest", extent=(low, high, len(variants) - 0.5, -0.5))
        for y in range(1, len(variants)):
            ax.axhline(y - 0.5, color="white", linewidth=0.6)
        ax.set_yticks(range(len(variants)), [v or "all" for v in variants], fontsize=7)
        ax.tick_params(axis="x", labelsize=7)
        ax.set_title(name, fontsize=9, loc="left")
        ax.set_xlim(low, high)
    for ax in flat_axes[count:]:
        ax.set_axis_off()
    for ax in flat_axes[max(0, count - columns):count]:
        ax.set_xlabel("budget (GB)", fontsize=8)
    hatch = {"oom": "////", "thrash": "....", "metadata_full": "xx"}
    patches = [Patch(facecolor=OUTCOMES[s][0], edgecolor="#444444", hatch=hatch[s], linewidth=0, label=OUTCOMES[s][2])
               for s in OUTCOMES if s in seen and s != "ok"]
    if patches:
        height = figure.get_size_inches()[1]
        figure.get_layout_engine().set(rect=(0, 0.3 / height, 1, 1 - 0.3 / height))  # room below
        figure.legend(handles=patches, loc="lower center", ncols=len(patches), fontsize=8)
    shown = colours.resampled(256)
    from matplotlib.colors import ListedColormap
    bar = figure.colorbar(ScalarMappable(norm, ListedColormap([shown(0.15 + 0.85 * i / 255) for i in range(256)])),
                          ax=flat_axes, shrink=0.5, pad=0.01)
    bar.set_label("ok: overhead (x of baseline compute)", fontsize=8)
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter
    bar.ax.yaxis.set_major_locator(LogLocator(base=10, subs=(1, 1.2, 1.5, 2, 3, 5)))
    bar.ax.yaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:g}"))
    bar.ax.yaxis.set_minor_formatter(NullFormatter())
    bar.ax.tick_params(labelsize=7)
    return figure
