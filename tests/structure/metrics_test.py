"""doc/operations.md explains every metric; it, the alert rules and the dashboard name no other."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = ROOT / "daemon/metrics.cc"
RULES = ROOT / "examples/monitoring/qdedup.rules.yml"
DASHBOARD = ROOT / "examples/monitoring/grafana.json"


def exported():
    """The names that the daemon gives its metrics."""
    source = SOURCE.read_text(encoding="utf-8")
    names = {f"qdedup_{name}" for name in re.findall(r'page\s*\.(?:gauge|counter)\(\s*"(\w+)"', source)}
    return names | {f"qdedup_last_iteration_{name}" for name in re.findall(r'[^.]\bgauge\("(\w+)"', source)}


def documented():
    page = (ROOT / "doc/operations.md").read_text(encoding="utf-8")
    return set(re.findall(r"\bqdedup_[a-z]\w*", page))


class MetricsDocumented(unittest.TestCase):
    def test_every_metric_is_explained(self):
        self.assertGreater(len(exported()), 10)
        self.assertEqual(exported() - documented(), set())

    def test_no_other_is_named(self):
        self.assertEqual(documented() - exported(), set())


class Monitoring(unittest.TestCase):
    def rules(self):
        """Each rule's lines."""
        text = RULES.read_text(encoding="utf-8")
        return {rule.split("\n", 1)[0]: rule for rule in re.split(r"\n +- alert: ", text)[1:]}

    def expect_known(self, expression):
        self.assertEqual(set(re.findall(r"\bqdedup_\w+", expression)) - exported(), set())

    def test_rules_are_about_metrics_that_exist(self):
        self.assertGreater(len(self.rules()), 10)
        for name, rule in self.rules().items():
            with self.subTest(name):
                self.expect_known(rule)
                self.assertRegex(rule, r"expr: \S")
                self.assertRegex(rule, r"severity: (critical|warning)\b")
                self.assertRegex(rule, r'summary: "[^"]+"')

    def test_promtool_takes_the_rules(self):
        if not shutil.which("promtool"):
            self.skipTest("promtool is not installed")
        subprocess.run(["promtool", "check", "rules", RULES], check=True, capture_output=True)

    def test_the_dashboard_shows_metrics_that_exist(self):
        dashboard = json.loads(DASHBOARD.read_text(encoding="utf-8"))
        panels = dashboard["panels"]
        self.assertEqual(len({panel["id"] for panel in panels}), len(panels))
        self.assertEqual(len({(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels}), len(panels))
        for panel in panels:
            with self.subTest(panel["title"]):
                self.assertGreater(len(panel["targets"]), 0)
                for target in panel["targets"]:
                    self.assertRegex(target["expr"], r"\bqdedup_")
                    self.expect_known(target["expr"])


if __name__ == "__main__":
    if not SOURCE.exists():
        print("skipped: there is no daemon/metrics.cc")
        sys.exit(77)
    unittest.main()
