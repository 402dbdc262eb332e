// Questions that hold markup: what is drawn of them, and what is not.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { once } from "node:events";
import { pathToFileURL } from "node:url";
import { after, test } from "node:test";
import { review } from "./review.js";

const PIXEL = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
const TABLE = "<table><tr><th>数</th><td>$x_1$</td></tr><tr><td>倍</td><td>2</td></tr></table>";
const HOSTILE = [
  "<script>window.hostile = 1</script>", "<img src=x onerror=\"window.hostile = 1\">",
  "<math><mtext><img src=x onerror=\"window.hostile = 1\"><style>*{display:none}</style></mtext>",
  "<mi xlink:href=\"javascript:window.hostile=1\">y</mi><maction actiontype=\"statusline\">z</maction></math>",
  "<a href=\"javascript:window.hostile=1\">甲</a><iframe src=\"javascript:window.hostile=1\"></iframe>",
  "$\\href{javascript:window.hostile=1}{乙}\\text{<img src=x onerror=\"window.hostile = 1\">}$",
  "&lt;img src=x onerror=\"window.hostile = 1\"&gt;<svg onload=\"window.hostile = 1\"></svg>",
  "<table><tr><td onclick=\"window.hostile = 1\" style=\"position:fixed\">丙</td></tr></table>",
].join("");

const QUESTIONS = {
  2: "<p>下表中若$\\dfrac{a+1}{2}=\\sqrt{3}$，小明求出了两个未知数的和，这个和是多少</p>" + TABLE,
  5: "<p>下表中若\\(\\frac{a+1}{2}=\\sqrt{3}\\)，小红求出了两个未知数的和，这个和是多少</p>" + TABLE,
  10: ["<p>观察这两个三角形的图形然后求出它们的面积之和<img src=\"/q/三角形 1.png\"><img src=\"/q/none.png\"></p>", "$x^2$"],
  11: ["<p>观察这两个三角形的图形然后求出它们的面积的和<img src=\"/q/三角形 1.png\"><img src=\"/q/none.png\"></p>", "$x^2$"],
  30: `下列说法中正确的到底是其中的哪一项呢${HOSTILE}`,
  31: `下列说法中错误的到底是其中的哪一项呢${HOSTILE}`,
};

const asked = [];
const pictures = createServer((request, response) => {
  asked.push(request.url);
  const isThere = request.url === "/q/%E4%B8%89%E8%A7%92%E5%BD%A2%201.gif";
  response.writeHead(isThere ? 200 : 404, { "Content-Type": "image/gif" });
  response.end(isThere ? PIXEL : "");
});
after(() => pictures.close());

const made = review(async (state) => {
  pictures.listen(0, "127.0.0.1");
  await once(pictures, "listening");
  state.settings = `[text]\nmarkup = "auto"\n[review]\nimage_url = "http://127.0.0.1:${pictures.address().port}/q/{name}.gif"\n`;
  state.importQuestions(QUESTIONS);
  state.iterate([[2, 5], [10, 11], [30, 31]]);
});

test("formulas are drawn by the browser", async () => {
  const { browser } = made;
  await browser.open();
  await browser.waitForCurrent(5);
  const fraction = browser.going().locator("math mfrac");
  assert.equal(await fraction.evaluate((each) => each.namespaceURI), "http://www.w3.org/1998/Math/MathML");
  const [top, bottom] = await fraction.locator("> mrow").evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect()));
  assert.ok(top.bottom <= bottom.top + 1, "the numerator stands above");
  assert.equal(await browser.going().locator("math msqrt mn").textContent(), "3");
  await browser.screenshot("formulas");
});

test("tables are tables", async () => {
  const { browser } = made;
  const cells = browser.going().locator(".text table td");
  assert.deepEqual(await cells.allTextContents(), ["数", "x1", "倍", "2"]);
  assert.equal(await cells.locator("math msub").count(), 1);
});

test("what differs is marked in what is drawn", async () => {
  const { browser } = made;
  assert.deepEqual(await browser.page.locator(".keep ins.differs").allTextContents(), ["明"]);
  assert.deepEqual(await browser.current().locator("del.differs").allTextContents(), ["红"]);
  assert.equal(await browser.current().locator("math .differs").count(), 0);
  assert.equal(await browser.current().locator("math .mark").count(), 0);
});

test("the original can be looked at, of all questions at a time", async () => {
  const { browser } = made;
  await browser.going().locator("summary", { hasText: "Original text" }).click();
  await browser.page.locator(".keep details.original[open]").waitFor();
  assert.equal(await browser.going().locator(".original p").textContent(), QUESTIONS[5]);
});

test("a figure is shown from the one origin, or else by its name", async () => {
  const { browser, daemon } = made;
  await browser.press("j");
  await browser.waitForCurrent(11);
  await browser.going().locator(".original[open]").first().waitFor();
  const picture = browser.going().locator('img[alt="三角形 1"]');
  await picture.scrollIntoViewIfNeeded();
  await picture.evaluate((image) => image.decode());
  await browser.going().locator(".figure", { hasText: "none" }).waitFor();
  assert.ok(asked.includes("/q/none.gif"));
  assert.equal(await browser.going().locator(".answer msup").count(), 1);
  const response = await daemon.page("/");
  assert.match(response.headers.get("Content-Security-Policy"), /; img-src 'self' http:\/\/127\.0\.0\.1:\d+; /);
  await browser.screenshot("figures");
  assert.ok(browser.errors.splice(0).every((error) => error.includes("404")));
});

// All elements and attributes within.
function contents(roots) {
  const all = roots.flatMap((root) => [...root.querySelectorAll("*")]);
  return [all.map((each) => each.localName), all.flatMap((each) => each.getAttributeNames())].map((names) => [...new Set(names)]);
}

test("no element of a question's markup comes to be, and nothing of it runs", async () => {
  const { browser } = made;
  await browser.open("#/queue?question=30");
  await browser.waitForCurrent(31);
  const [elements, attributes] = await browser.going().locator(".text").evaluateAll(contents);
  for (const name of elements) assert.ok(/^(math|m(n|i|o|text|row)|table|tr|td|del|span|img)$/.test(name), name);
  for (const name of attributes) assert.ok(["class", "data-difference", "src", "alt", "loading"].includes(name), name);
  assert.match((await browser.going().locator(".text").allTextContents()).join(""), /<img src=x onerror="window.hostile = 1">/);
  assert.equal(await browser.page.evaluate(() => window.hostile), undefined);
  assert.equal(await browser.page.locator("main a[href^=javascript], main script, main iframe, main style").count(), 0);
  assert.ok(browser.errors.splice(0).every((error) => error.includes("404")));
});

test("the report draws the same, and runs nothing", async () => {
  const { browser, state } = made;
  state.qdedup("export", "--format", "html", "-o", state.path("report.html"));
  await browser.page.goto(pathToFileURL(state.path("report.html")).href);
  const pair = browser.page.locator("#q5");
  const [top, bottom] = await pair.locator(".delete mfrac > mrow").evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect()));
  assert.ok(top.bottom <= bottom.top + 1);
  assert.deepEqual(await pair.locator(".delete .text td").allTextContents(), ["数", "x1", "倍", "2"]);
  assert.deepEqual(await pair.locator(".text ins, .text del").allTextContents(), ["明", "红"]);
  assert.deepEqual(await browser.page.locator("#q11 .delete .figure").allTextContents(), ["figure 三角形 1", "figure none"]);
  await pair.locator(".delete summary").click();
  assert.equal(await pair.locator(".delete .original p").innerText(), QUESTIONS[5]);
  const [elements, attributes] = await browser.page.locator("#q31 .delete .text").evaluateAll(contents);
  for (const name of elements) assert.ok(/^(math|m(n|i|o|text|row)|table|tbody|tr|td|del|span|small)$/.test(name), name);
  assert.deepEqual(attributes, ["class"]);
  assert.equal(await browser.page.evaluate(() => window.hostile), undefined);
  await browser.screenshot("report-formulas");
});
