// What axe says of a page.

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// Each finding of a page, with where it is: the serious ones, or all.
export async function findings({ page }, isAll = false) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => window.axe.run());
  return violations.filter(({ impact }) => isAll || ["serious", "critical"].includes(impact))
    .map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes.map(({ target, any }) => `${target} ${any[0]?.message ?? ""}`).join("; ")}`);
}
