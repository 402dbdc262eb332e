// A state of its own for a test: questions, logs and iterations, made by the built tool.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const QDEDUP = process.env.QDEDUP ?? path.join(ROOT, "build/release/bin/qdedup");

export class State {
  constructor() {
    this.folder = mkdtempSync(path.join(tmpdir(), "qdedup-web-"));
    this.state = path.join(this.folder, "state");
    this.settings = "";  // sections of the config
    this.http = "";  // keys of its section [http]
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }

  path(name) {
    return path.join(this.folder, name);
  }

  write(name, content) {
    writeFileSync(this.path(name), content);
    return this.path(name);
  }

  qdedup(...args) {
    const options = { encoding: "utf8", cwd: this.folder, maxBuffer: 1 << 28 };
    const settings = `[http]\n${this.http}\n${this.settings}`;
    const config = this.settings || this.http ? ["--config", this.write("settings.toml", settings)] : [];
    return execFileSync(QDEDUP, [...config, "--state", this.state, ...args.map(String)], options);
  }

  // Lets reviewers sign in by name; answers their keys.
  addReviewers(...names) {
    this.http = `reviewers_file = "${this.path("reviewers")}"`;
    return names.map((name) => this.qdedup("--quiet", "reviewer", "add", name).trim());
  }

  // {id: text} or {id: [text, answer]}.
  importQuestions(questions) {
    const lines = Object.entries(questions).map(([id, question]) => {
      const [text, answer] = [question].flat();
      return `{"id":${id},"text":${JSON.stringify(text)}${answer ? `,"answer":${JSON.stringify(answer)}` : ""}}\n`;
    });
    this.qdedup("import", this.write("questions.jsonl", lines.join("")));
  }

  // One search for each list of ids, all with the score 0.9; then an iteration.
  iterate(lists, log = "search.log") {
    this.write(log, lists.map((ids) => `[${ids.map((id) => `[${id},0.9]`).join(",")}]\n`).join(""));
    this.qdedup("mine", this.path(log));
    this.qdedup("iterate");
  }

  // [deletion, keeper, status] of each.
  list() {
    const rows = this.qdedup("export", "--format", "jsonl").trim().split("\n").filter(Boolean);
    return rows.map((row) => JSON.parse(row)).map((row) => [row.delete_id, row.keep_id, row.status]);
  }

  status(question) {
    return this.list().find(([id]) => id === question)?.[2];
  }
}
