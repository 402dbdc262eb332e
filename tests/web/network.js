// What lies between a browser and the daemon, and fails as networks do.

import { createServer, request as ask } from "node:http";
import { once } from "node:events";

// A generator of random numbers below 1, from a seed (mulberry32).
export function randomStream(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

// Passes on what the browser asks. `fault(method, path)` says what goes wrong with a request, if anything: "lose request", "lose answer",
// "cut answer", "bad gateway", "gateway timeout" or "delay". `onAnswer({method, path, sent, status, answer, isWhole})` is told of each answer of
// the daemon, with both bodies and whether the browser gets it.
export class Network {
  static async start(daemon, { fault = () => undefined, onAnswer = () => {} } = {}) {
    const network = new Network();
    Object.assign(network, { daemon, fault, onAnswer });
    network.server = createServer((request, response) => network.pass(request, response).catch(() => response.destroy()));
    network.server.listen(0, "127.0.0.1");
    await once(network.server, "listening");
    network.origin = `http://127.0.0.1:${network.server.address().port}`;
    return network;
  }

  stop() {
    this.server.closeAllConnections();
    this.server.close();
  }

  async pass(request, response) {
    const sent = await bodyOf(request);
    const [path] = request.url.split("?");
    const fault = this.fault(request.method, path);
    if (fault === "lose request") return response.destroy();
    if (fault === "bad gateway") return response.writeHead(502).end();
    if (fault === "delay") await new Promise((resolve) => setTimeout(resolve, 30));
    const { headers, status, answer } = await this.answerTo(request, sent);
    const isWhole = fault === undefined || fault === "delay";
    this.onAnswer({ method: request.method, path, sent, status, answer, isWhole });
    if (fault === "lose answer") return response.destroy();
    if (fault === "gateway timeout") return response.writeHead(504).end();
    response.writeHead(status, headers);
    if (fault === "cut answer") return response.write(answer.subarray(0, answer.length / 2), () => response.destroy());
    response.end(answer);
  }

  // The daemon sees its own address, as behind a proxy that says where it is.
  async answerTo({ method, url, headers }, sent) {
    const { host } = new URL(this.daemon.origin);
    const origin = headers.origin && this.daemon.origin;
    const passed = ask(`${this.daemon.origin}${url}`, { method, agent: false, headers: { ...headers, host, ...(origin && { origin }) } });
    passed.end(sent);
    const [answered] = await once(passed, "response");
    return { headers: answered.rawHeaders, status: answered.statusCode, answer: await bodyOf(answered) };
  }
}

async function bodyOf(message) {
  const parts = [];
  for await (const part of message) parts.push(part);
  return Buffer.concat(parts);
}
