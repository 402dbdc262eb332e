"""Draws cost over size: peer_plot.py FIGURES.json PICTURE.svg. FIGURES has a list of [questions, CPU seconds] by name."""

import json
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "qdedup", "svg.fonttype": "none", "font.size": 9})
from matplotlib import pyplot, ticker  # after the choice of the backend


def main():
    with open(sys.argv[1], encoding="utf-8") as figures:
        curves = json.load(figures)
    picture, axes = pyplot.subplots(figsize=(7.5, 4.5))
    for name, points in curves.items():
        ours = name.startswith("qdedup")
        axes.plot(*zip(*points), label=name, marker="o", markersize=3, linestyle="-" if ours else "--", linewidth=1.5 if ours else 1)
    axes.set(xscale="log", yscale="log", xlabel="questions", ylabel="CPU seconds")
    sizes = sorted({size for points in curves.values() for size, _ in points})
    axes.set_xticks(sizes, [f"{size / 1e6:g} M" for size in sizes])
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.yaxis.set_major_formatter(ticker.FormatStrFormatter("%g"))
    axes.grid(linewidth=0.4)
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    picture.savefig(sys.argv[2], metadata={"Date": None}, bbox_inches="tight")


if __name__ == "__main__":
    main()
