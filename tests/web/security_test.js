// Who gets the page, and what another page can do to it.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { once } from "node:events";
import { after, test } from "node:test";
import { TOKEN } from "./daemon.js";
import { review } from "./review.js";

const made = review();
const evil = createServer((request, response) => {
  response.setHeader("Content-Type", "text/html");
  response.end("<title>another site</title>");
});
after(() => evil.close());

test("nothing is served without the token", async () => {
  const { daemon } = made;
  for (const path of ["/", "/app.js", "/api/review/queue", "/api/status", "/nowhere"]) {
    const response = await fetch(daemon.origin + path);
    assert.equal(response.status, 401, path);
    assert.match(response.headers.get("WWW-Authenticate"), /Basic realm="qdedup"/);
  }
});

test("the page may load nothing from elsewhere", async () => {
  const { daemon } = made;
  const response = await fetch(`${daemon.origin}/`, { headers: { Authorization: `Bearer ${TOKEN}` } });
  assert.match(response.headers.get("Content-Security-Policy"), /^default-src 'none'; script-src 'self';/);
  assert.equal(response.headers.get("X-Content-Type-Options"), "nosniff");
  assert.equal(response.headers.get("Referrer-Policy"), "no-referrer");
  const tag = response.headers.get("ETag");
  const again = await fetch(`${daemon.origin}/`, { headers: { Authorization: `Bearer ${TOKEN}`, "If-None-Match": tag } });
  assert.equal(again.status, 304);
});

test("no inline script runs on the page", async () => {
  const { browser } = made;
  await browser.open();
  await browser.waitForCurrent(5);
  const blocked = browser.page.evaluate(() => new Promise((resolve) => {
    addEventListener("securitypolicyviolation", (event) => resolve(event.violatedDirective));
    const script = document.createElement("script");
    script.textContent = "window.hostile = 1";
    document.body.append(script);
  }));
  assert.match(await blocked, /script-src/);
  assert.equal(await browser.page.evaluate(() => window.hostile), undefined);
  browser.errors.splice(0);
});

test("another site cannot decide anything with the reviewer's credentials", async () => {
  const { browser, daemon, state } = made;
  evil.listen(0, "127.0.0.1");
  await once(evil, "listening");
  const decision = { iteration: 1, question: "5", keeper: "2", decision: "approve", seen: "pending" };
  const body = JSON.stringify({ decisions: [decision] });
  for (const site of ["127.0.0.1", "localhost"]) {
    await browser.page.goto(`http://${site}:${evil.address().port}/`);
    await browser.page.evaluate(async ([target, sent]) => {
      for (const type of ["application/json", "text/plain"]) {
        const headers = { "Content-Type": type };
        await fetch(target, { method: "POST", headers, body: sent, credentials: "include" }).catch(() => {});
        await fetch(target, { method: "POST", headers, body: sent, mode: "no-cors", credentials: "include" }).catch(() => {});
      }
    }, [`${daemon.origin}/api/review/decisions`, body]);
    const read = await browser.page.evaluate((target) =>
      fetch(target, { credentials: "include" }).then(() => true, () => false), `${daemon.origin}/api/review/queue`);
    assert.equal(read, false);
  }
  assert.equal(state.status(5), "pending");
  browser.errors.splice(0);
});

test("another site cannot show the page in a frame", async () => {
  const { browser, daemon } = made;
  await browser.page.route(`${daemon.origin}/**`, (route) => route.continue({
    headers: { ...route.request().headers(), authorization: `Bearer ${TOKEN}` },
  }));
  const answered = browser.page.waitForResponse((response) =>
    response.url() === `${daemon.origin}/` && response.status() === 200);
  await browser.page.evaluate((source) => new Promise((resolve) => {
    const frame = document.createElement("iframe");
    frame.addEventListener("load", resolve);
    frame.src = source;
    document.body.append(frame);
  }), `${daemon.origin}/`);
  await answered;
  const frame = browser.page.frames().find((each) => each !== browser.page.mainFrame());
  assert.equal(await frame.locator("#main").count(), 0);
  browser.errors.splice(0);
});

test("a browser that has another host in mind is sent away", async () => {
  const { daemon } = made;
  const response = await fetch(daemon.origin.replace("127.0.0.1", "localhost"), { headers: { Authorization: `Bearer ${TOKEN}` } });
  assert.equal(response.status, 421);
});
