// A qdedupd at work on a state, with a port of its own.

import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { createServer, createConnection } from "node:net";
import { once } from "node:events";
import path from "node:path";
import { writeFileSync, openSync, closeSync, readFileSync } from "node:fs";
import { ROOT } from "./state.js";

const QDEDUPD = process.env.QDEDUPD ?? path.join(ROOT, "build/release/bin/qdedupd");

export const TOKEN = "0123456789abcdef0123456789abcdef";

// A port that is this program's until it ends: no connection is ever given it for its own end, and whoever looks for one as this does
// finds its UDP twin taken.
async function freePort() {
  const [first, last] = readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "utf8").split("\t").map(Number);
  const all = Array.from({ length: 65_536 - 20_000 }, (_, i) => 20_000 + i);
  const outside = all.filter((port) => port < first || port > last);
  const ports = outside.length ? outside : all;
  while (true) {
    const port = ports[Math.floor(Math.random() * ports.length)];
    const lock = createSocket("udp4").unref();
    const server = createServer();
    try {
      lock.bind({ port, address: "127.0.0.1", exclusive: true });
      await once(lock, "listening");
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
      server.close();
      await once(server, "close");
      return port;
    } catch {
      lock.close();
    }
  }
}

// Whether something listens there.
function connects(port) {
  return new Promise((resolve) => {
    const socket = createConnection(port, "127.0.0.1");
    socket.once("connect", () => { socket.destroy(); resolve(true); });
    socket.once("error", () => resolve(false));
  });
}

export class Daemon {
  constructor(state, port) {
    this.state = state;
    this.port = port;
    this.origin = `http://127.0.0.1:${port}`;
  }

  static async start(state) {
    const daemon = new Daemon(state, await freePort());
    writeFileSync(state.path("token"), `${TOKEN}\n`, { mode: 0o600 });
    state.write("qdedup.toml", `
[schedule]
every = "off"
[state]
folder = "${state.state}"
[http]
listen = "127.0.0.1:${daemon.port}"
token_file = "${state.path("token")}"
hosts = ["127.0.0.1:${daemon.port}"]
${state.http}
${state.settings}`);
    await daemon.begin();
    return daemon;
  }

  // Again on the same port, after stop().
  async begin() {
    const log = openSync(this.state.path("qdedupd.log"), "a");
    this.process = spawn(QDEDUPD, ["--config", this.state.path("qdedup.toml")], {
      stdio: ["ignore", log, log], env: { ...process.env, NOTIFY_SOCKET: "", JOURNAL_STREAM: "" },
    });
    closeSync(log);
    this.ended = once(this.process, "exit");
    while (!(await connects(this.port))) {
      if (this.process.exitCode !== null) throw new Error(readFileSync(this.state.path("qdedupd.log"), "utf8"));
    }
  }

  async stop() {
    if (this.process.exitCode === null) this.process.kill("SIGTERM");
    await this.ended;
  }

  // A file of the page.
  page(path) {
    return fetch(this.origin + path, { headers: { Authorization: `Bearer ${TOKEN}` } });
  }

  // A request of a program that has the token.
  async ask(name, options = {}) {
    const headers = { Authorization: `Bearer ${TOKEN}`, ...options.headers };
    const response = await fetch(`${this.origin}/api/review/${name}`, { ...options, headers });
    return { status: response.status, answer: await response.json() };
  }
}
