// Where the conformance data lies, and why tests of it are skipped if they are.

import { existsSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./state.js";

const SHARED = process.env.QDEDUP_SHARED ?? path.join(ROOT, "../shared");
export const CONFORMANCE_DATA = path.join(SHARED, "data/dev");
export const skip = existsSync(CONFORMANCE_DATA) ? false : `no conformance data in ${CONFORMANCE_DATA}`;
