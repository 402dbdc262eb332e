#include "review/report_style.h"

namespace qdedup::review {

namespace {

constexpr char style[] = R"(
:root {
  color-scheme: light dark;
  --page: #f3f5f8; --card: #ffffff; --ink: #1c2129; --soft: #586170; --line: #d8dde5; --faint: #eef1f5;
  --link: #1b5eb8; --bar: #4a7fc4;
  --ins: #c9ecdd; --ins-line: #0a7a55; --del: #ffdac9; --del-line: #bf3d0c;
  --safe: #e2f3ea; --safe-ink: #0b5c41; --doubtful: #fdeecb; --doubtful-ink: #774a00;
  --mark: #e4d9fb; --mark-ink: #4c2a91;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #11151b; --card: #1a2029; --ink: #e3e8ef; --soft: #9aa6b6; --line: #323b48; --faint: #222a35;
    --link: #82b4f5; --bar: #5b8fd6;
    --ins: #12493a; --ins-line: #43d3a0; --del: #5c2a17; --del-line: #ff9468;
    --safe: #14382c; --safe-ink: #7fdcb6; --doubtful: #43340f; --doubtful-ink: #f5cb6c;
    --mark: #3b2c63; --mark-ink: #cdb8ff;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 4.5rem; }
body {
  margin: 0 auto; padding: 1.5rem 1.5rem 3rem; max-width: 80rem; background: var(--page); color: var(--ink);
  font: 0.9375rem/1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", "PingFang SC", "Microsoft YaHei",
    "Noto Sans CJK SC", sans-serif;
}
h1, h2, h3, h4, p, dl, dd, ul, table, fieldset { margin: 0; padding: 0; }
h1 { font-size: 1.75rem; line-height: 1.25; letter-spacing: -0.01em; }
h2 { font-size: 1.125rem; line-height: 1.4; }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.title {
  display: flex; flex-wrap: wrap; align-items: flex-end; justify-content: space-between; gap: 0.5rem 2rem;
}
.title p, .extent, footer { color: var(--soft); }
nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; }
nav a { padding: 0.25rem 0; }

.tiles { display: grid; grid-template-columns: repeat(4, 1fr); gap: 1rem; margin: 1.25rem 0 1rem; }
.tiles div { display: flex; flex-direction: column-reverse; justify-content: flex-end; }
.tiles div, .card, .pair {
  background: var(--card); border: 1px solid var(--line); border-radius: 0.5rem; padding: 0.875rem 1.125rem;
}
.tiles dt { color: var(--soft); }
.tiles dd { font-size: 1.75rem; font-weight: 650; line-height: 1.25; font-variant-numeric: tabular-nums; }
.tiles small { font-size: 0.875rem; font-weight: 400; color: var(--soft); }
.columns { display: grid; grid-template-columns: minmax(0, 8fr) minmax(0, 5fr); gap: 1rem; }
.wide, .narrow { display: flex; flex-direction: column; gap: 1rem; }

table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); padding-bottom: 0.5rem; }
th, td { padding: 0.125rem 1rem 0.125rem 0; text-align: left; vertical-align: top; font-weight: 400; }
th:last-child, td:last-child { padding-right: 0; }
thead th { font-size: 0.8125rem; color: var(--soft); border-bottom: 1px solid var(--line); }
thead td { border-bottom: 1px solid var(--line); }
.number, .sums thead th + th { text-align: right; }
.chart th, .chart .number { width: 1%; white-space: nowrap; }
.chart thead th:nth-last-child(2) { text-align: right; }
.bar {
  display: block; width: 100%; height: 0.875rem; margin-top: 0.25rem; border-left: 1px solid var(--bar);
}
.bar rect { fill: var(--bar); height: 100%; }
.funnel .step { font-weight: 650; }
.funnel tbody + tbody { border-top: 1px solid var(--line); }
.sums tfoot th, .sums tfoot td { border-top: 1px solid var(--line); font-weight: 650; }
.sums td:last-child { font-weight: 650; }
.settings td, .settings th { overflow-wrap: anywhere; }
.settings th { width: 55%; }

#pairs { margin-top: 2rem; }
#pairs h2 { font-size: 1.375rem; }
.guide { margin-top: 0.5rem; max-width: 48rem; }
.guide summary { cursor: pointer; color: var(--link); padding: 0.25rem 0; }
.guide p { margin: 0.25rem 0 0.5rem; }
.toolbar {
  position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; align-items: center;
  justify-content: space-between; gap: 0.25rem 1.5rem; margin: 0.5rem -1.5rem 0; padding: 0.5rem 1.5rem;
  background: var(--page); border-bottom: 1px solid var(--line);
}
.filter { display: none; border: 0; }
.filter legend { float: left; padding: 0.375rem 0.5rem 0.375rem 0; color: var(--soft); }
.filter label { display: inline-block; padding: 0.375rem 0.5rem; cursor: pointer; }
.filter input { accent-color: var(--link); margin: 0 0.125rem 0 0; }
@supports selector(:has(a)) {
  .filter { display: block; }
  #pairs:has(#show-doubtful:checked) .pair:not(.doubtful) { display: none; }
  #pairs:has(#show-safe:checked) .pair:not(.safe) { display: none; }
}
.legend { display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; }

.pair { margin-top: 0.875rem; padding: 0; content-visibility: auto; contain-intrinsic-size: auto 11rem; }
.pair:target { border-color: var(--link); box-shadow: 0 0 0 1px var(--link); }
.pair > header {
  display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1rem; padding: 0.5rem 1.125rem;
  border-bottom: 1px solid var(--line); background: var(--faint); border-radius: 0.5rem 0.5rem 0 0;
}
.pair h3 { font-size: 0.9375rem; min-width: 4.5rem; font-variant-numeric: tabular-nums; }
.pair h3 a { color: inherit; text-decoration: none; }
.pair h3 a:hover { text-decoration: underline; }
.likeness { color: var(--soft); font-variant-numeric: tabular-nums; }
.likeness b { color: var(--ink); }
.tags { display: flex; flex-wrap: wrap; gap: 0.25rem 0.375rem; list-style: none; }
.tags li {
  padding: 0 0.5rem; border: 1px solid var(--line); border-radius: 0.75rem; font-size: 0.8125rem;
  overflow-wrap: anywhere;
}
.safe .confidence { background: var(--safe); color: var(--safe-ink); border-color: currentcolor; }
.doubtful .confidence {
  background: var(--doubtful); color: var(--doubtful-ink); border-color: currentcolor; font-weight: 650;
}
.status { margin-left: auto; font-size: 0.8125rem; color: var(--soft); }
.sides { display: grid; grid-template-columns: 1fr 1fr; }
.sides section { padding: 0.625rem 1.125rem 0.875rem; min-width: 0; }
.sides section + section { border-left: 1px solid var(--line); }
.sides h4 { font-size: 0.8125rem; font-weight: 400; color: var(--soft); font-variant-numeric: tabular-nums; }
.text { font-size: 1.0625rem; line-height: 1.8; white-space: pre-wrap; overflow-wrap: anywhere; }
.gone { color: var(--soft); font-style: italic; line-height: 1.8; }
.note {
  padding: 0.5rem 1.125rem; border-top: 1px solid var(--line); white-space: pre-wrap; overflow-wrap: anywhere;
}
ins, del { padding: 0.125rem 0; border-radius: 0.1875rem; text-underline-offset: 0.25em; }
ins { background: var(--ins); text-decoration: underline solid var(--ins-line) 2px; }
del { background: var(--del); text-decoration: underline double var(--del-line) 2px; }
ins.faint, del.faint { background: none; text-decoration-thickness: 1px; text-decoration-style: dotted; }
.answer { padding: 0.25rem 0 0; color: var(--soft); }
.why { margin: 0 0.25rem; padding: 0 0.25rem; border: 1px solid var(--del-line); border-radius: 0.25rem; color: var(--del-line); white-space: nowrap; }
.legend ins, .legend del { padding: 0.125rem 0.375rem; }
.newline::before { content: "↵"; }
.mark {
  padding: 0 0.1875rem; border: 1px solid currentcolor; border-radius: 0.1875rem; background: var(--mark);
  color: var(--mark-ink); font: 0.6875rem/1 ui-monospace, monospace; white-space: nowrap;
  vertical-align: 0.1em;
}
footer { margin-top: 2rem; }

@media (max-width: 60rem) {
  .columns { grid-template-columns: minmax(0, 1fr); }
}
@media (max-width: 40rem) {
  body { padding: 1rem 1rem 2rem; }
  .toolbar { margin-inline: -1rem; padding-inline: 1rem; }
  .tiles { grid-template-columns: 1fr 1fr; }
  .sides { grid-template-columns: 1fr; }
  .sides section + section { border-left: 0; border-top: 1px solid var(--line); }
}
@media (forced-colors: active) {
  .bar rect { fill: CanvasText; }
}
@media print {
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  body { max-width: none; padding: 0; font-size: 9.5pt; background: none; }
  nav, .filter, .guide { display: none; }
  .toolbar { position: static; margin: 0; padding: 0.5rem 0; background: none; }
  .columns, .wide, .narrow { display: block; }
  .card { margin-bottom: 0.75rem; }
  .pair { content-visibility: visible; }
  .card, .pair, .tiles div, tr { break-inside: avoid; }
  h2, caption, .pair > header { break-after: avoid; }
  .text { font-size: 10.5pt; line-height: 1.6; }
  footer { break-before: avoid; margin-top: 0.75rem; }
}
)";

// SHA-256 of `style`, in base64. A test of the report computes it anew and says what it ought to be.
constexpr char style_hash[] = "sha256-WsW2B0wD2t9NDUn3lINzahjv8SM0dqOgYCgU09Ewd/s=";

}  // namespace

void append_policy_and_style(Html& html) {
  html.markup(R"(<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ')");
  html.markup(style_hash).markup("'; base-uri 'none'; form-action 'none'\">\n");
  html.markup("<style>").markup(style).markup("</style>\n");
}

}  // namespace qdedup::review
