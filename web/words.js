// The words of the page, in the reviewer's language.

import { en } from "./words_en.js";
import { zh } from "./words_zh.js";

const LANGUAGES = { en, zh };
const KEPT = "qdedup.language";

function initial() {
  const kept = localStorage.getItem(KEPT);
  if (kept in LANGUAGES) return kept;
  return navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
}

let language = initial();

export function otherLanguage() {
  return language === "en" ? "zh" : "en";
}

export function useLanguage(name = language) {
  language = name;
  localStorage.setItem(KEPT, name);
  document.documentElement.lang = name === "zh" ? "zh-CN" : "en";
}

// words("approved_by", {name: "ann"}): the entry, with {name} filled in. A key without an entry is shown itself.
export function words(key, values = {}) {
  const text = LANGUAGES[language][key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

// The word for something that the program names, such as a reason; the name itself where there is none.
export function wordFor(group, name) {
  return LANGUAGES[language][`${group}_${name}`] ?? name;
}

// Why the daemon refuses, in the reader's language; as it says it, where the page has no words for that.
export function refusalText(reason) {
  const [, status] = reason.match(/^is (\w+)( by now)?$/) ?? [];
  if (status) return words("refused_status", { status: wordFor("status", status) });
  const [number] = reason.match(/\d+/) ?? [];
  const key = `refused_${reason.replace(/\d+/, "{number}")}`;
  return key in LANGUAGES[language] ? words(key, { number }) : reason;
}

export function count(number) {
  return number.toLocaleString(language === "zh" ? "zh-CN" : "en-GB");
}

// That of the schedule, if the browser knows it.
let zone = "UTC";

export function useTimeZone(name) {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    zone = name;
  } catch {
    zone = "UTC";
  }
}

export function timeZone() {
  return zone;
}

// "2026-11-24T01:45:49Z" as the clock of that zone shows it, in the reader's form.
export function time(moment) {
  return new Date(moment).toLocaleString(language === "zh" ? "zh-CN" : "en-GB", {
    timeZone: zone, year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23",
  });
}

// "0.0123" as "1.23 %".
export function riskPercent(risk) {
  return `${(risk * 100).toFixed(2)} %`;
}

export function percent(share) {
  return `${(share * 100).toFixed(1)} %`;
}
