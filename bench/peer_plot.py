"""Draws cost over size: peer_plot.py FIGURES.json PICTURE.svg. FIGURES has a list of [work, name, [[questions, CPU seconds], …]]."""

import json
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "qdedup", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 9})

from matplotlib import pyplot, ticker  # pylint: disable=wrong-import-position

PEERS = {"Python script": "--", "rensa": "--", "rensa-bulk": ":"}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        curves = json.load(file)
    works = list(dict.fromkeys(work for work, _, _ in curves))
    sizes = sorted({size for _, _, points in curves for size, _ in points})
    picture, panels = pyplot.subplots(1, len(works), sharey=True, figsize=(9, 4.6), layout="constrained")
    for work, axes in zip(works, panels):
        for name, points in ((name, points) for of, name, points in curves if of == work):
            style = {"color": "black", "linestyle": PEERS[name]} if name in PEERS else {"linewidth": 2 if name == "qdedup" else 1}
            axes.plot(*zip(*points), label=name, marker=".", **style)
        axes.set(title=work, xscale="log", yscale="log", xlabel="questions, millions")
        axes.set_xticks(sizes, [f"{size / 1e6:g}" for size in sizes])
        axes.xaxis.set_minor_locator(ticker.NullLocator())
        axes.yaxis.set_major_formatter(ticker.FormatStrFormatter("%g"))
        axes.grid(linewidth=0.4)
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=3, frameon=False)
    panels[0].set_ylabel("CPU seconds")
    picture.savefig(sys.argv[2], metadata={"Date": None})


if __name__ == "__main__":
    main()
