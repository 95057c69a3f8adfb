// Writes a page for the law of each country, so that a lawyer can review it without code, and
// their list.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";

const units = { Y: "year", M: "month", W: "week", D: "day", WD: "working day" };

/** Returns a duration such as P24M in words. */
function duration(text) {
  const [, n, unit] = text.match(/^P(\d+)(\w+)$/);
  return `${n} ${units[unit]}${n === "1" ? "" : "s"}`;
}

/** Returns names in camel case as words. */
const words = (names) => names.map((name) => name.replace(/\B[A-Z]/g, (c) => " " + c.toLowerCase())).join(", ");

/** Returns a period in words. */
const span = ({ from, until }) => [from && `from ${from}`, until && `until ${until}`].filter(Boolean).join(" ");

const conditions = {
  FirstTermOver: ({ over }) => `the first term is longer than ${duration(over)}`,
  OpenOrFirstTermOver: ({ over }) => `the contract is open-ended, or its first term is longer than ${duration(over)}`,
  HasFirstTerm: () => "the contract has a first term and goes on after it",
  NotReminded: ({ over }) =>
    `it renewed${over ? ` for more than ${duration(over)}` : ""} and the organization did not remind the customer in time`,
  RunsOpen: () => "the contract is open-ended",
  HasEnd: () => "the contract ends by itself",
  EndsWithCalendarYear: () => "the contract's periods are calendar years",
  WrittenForm: () => "the contract asks for writing",
  WrittenFormAtDistance: () => "the contract asks for writing, and was concluded at a distance",
};

const opens = {
  Start: () => "From the start",
  FirstTermEnd: () => "With the first term",
  AfterFirstTerm: () => "After the first term",
  AfterTime: ({ after }) => `After ${duration(after)}`,
  AfterConclusion: ({ after }) => `${duration(after)} after the signature`,
};

const ends = {
  Day: "on any day",
  Month: "at the end of a month",
  HalfYear: "at the end of a half-year",
  CalendarYear: "at the end of a calendar year",
  ContractHalfYear: "at the end of a half-year of the contract",
  ContractYear: "at the end of a year of the contract",
};

function limits(l) {
  const signature = l.fromConclusion ? ", counted from the signature" : "";
  const month = l.toNextMonth ? ", or until the first of the next month" : "";
  return [
    l.firstTerm && `first term ${duration(l.firstTerm)} at most${signature}${month}`,
    l.notice && `notice ${duration(l.notice)} at most`,
    l.renewal && `renewal ${duration(l.renewal)} at most`,
    l.noRenewal && "no renewal",
  ].filter(Boolean).join("; ");
}

function exit(x) {
  return [
    `${opens[x.from](x)} ${ends[x.endOf]}`,
    x.notice ? `notice ${duration(x.notice)}${x.atMost ? " at most" : ""}` : "no notice",
    x.grace && `the first ${x.grace} working days of a month count as the month before`,
    x.once && "on the first such day only",
    x.nextMonth && "years are counted from the first of a month",
    x.within && `the notice must arrive within ${duration(x.within)} of the signature`,
    x.onlyOnceOpen && "the notice counts only once this is open",
    x.costs && "**may cost something**",
    x.byNewProvider && "**the new provider cancels**",
  ].filter(Boolean).join("; ");
}

const rights = {
  Notice: (c) => `${duration(c.for)} from the notice`,
  NoticeMonth: (c) => `until the end of the month ${duration(c.for)} after that of the notice`,
  Effect: () => "until the new price takes effect",
  RiseMonth: () => "until the end of the month of the rise",
};

/** Returns what a statute says, as the rows of a list. */
function facts(s) {
  const confirmed = s.confirmed && `${s.confirmed.by}, read on ${s.confirmed.read}`;
  return [
    ["Sectors", s.sectors ? words(s.sectors) : "all that traders sell"],
    ["Customers", s.customers && words(s.customers)],
    ["In force", s.inForce && span(s.inForce)],
    ["Contracts concluded", s.concluded && span(s.concluded)],
    ["If", s.when && conditions[s.when.condition](s.when)],
    ["Limits", s.limits && limits(s.limits)],
    ["Way out", s.exit && exit(s.exit)],
    ["Form", s.form && [s.form.requirement, s.form.void && `void: ${words(s.form.void)}`].filter(Boolean).join("; ")],
    ["Concluded at", s.concludedAt ? words(s.concludedAt) : s.for && "any place"],
    ["Withdrawal within", s.for && duration(s.for)],
    ["After a visit that nobody asked for", s.uninvited && duration(s.uninvited)],
    ["Last day", s.strict && "the next working day does not count"],
    ["Says, and changes no date", s.note && "yes"],
    ["Depends on a fact that nobody asks for", s.onlyIf && "the answer says it"],
    ["Right at a price rise", s.answer && (s.anyChange ? `${s.answer}, and at any other change` : s.answer)],
    ["Lasts", s.answer && (s.counts ? rights[s.counts.from](s.counts) : "not certain")],
    ["Asks for", s.missing && words(s.missing)],
    ["Confirmed", confirmed ?? "**not confirmed**"],
    ["Name in the data", `\`${s.id}\``],
  ].filter(([, text]) => text).map(([name, text]) => `- ${name}: ${text}\n`).join("");
}

const section = (s) => `### ${s.citation}\n\n${s.rule} [Official text](${s.url})\n\n${facts(s)}\n`;

/** All sectors, as contracts have them. */
const sectors = [
  "Telecom", "Television", "Energy", "EnergyBasicSupply", "Heat", "Water", "Insurance", "MotorInsurance", "HomeInsurance",
  "HealthInsurance", "StatutoryHealth", "Life", "Affinity", "Rental", "Press", "Association", "Party", "Course", "Banking",
  "Care", "Goods", "Services",
];

/** Says whether the law about the end of a sector's contracts is known. */
function knowledge(statutes, sector) {
  const here = statutes.filter((s) => s.sectors.includes(sector));
  const ends = here.filter((s) => s.exit || s.limits);
  if (ends.some((s) => s.confirmed && !s.onlyIf)) return "known";
  return here.length > 0 ? "partly" : "not";
}

/** Returns the sectors by whether their law is known. */
function coverage(statutes) {
  const of = (answer) => words(sectors.filter((s) => knowledge(statutes, s) === answer)) || "none";
  return `## What is covered\n\n| The law is | For the end of contracts of |\n|---|---|\n| known | ${of("known")} |\n` +
    `| partly known: not confirmed, or only about the form | ${of("partly")} |\n` +
    `| **not known**: only the contract counts | ${of("not")} |\n\n`;
}

export function writeLaw(folder, write) {
  const rows = [];
  for (const name of readdirSync(folder).filter((name) => /^\w\w\.yaml$/.test(name)).sort()) {
    const { country, statutes, priceRights, withdrawals } = parse(readFileSync(path.join(folder, name), "utf8"));
    const all = [...statutes, ...priceRights, ...withdrawals];
    const known = sectors.map((s) => knowledge(statutes, s));
    const count = (answer) => known.filter((k) => k === answer).length;
    const confirmed = all.filter((s) => s.confirmed).length;
    const code = path.basename(name, ".yaml");
    rows.push(`| [${country}](${code}/) | ${all.length} | ${confirmed} | ${all.length - confirmed} | ` +
      `${count("known")} | ${count("partly")} | ${count("not")} |\n`);
    const prices = priceRights.length > 0 ? `## Price rises\n\n${priceRights.map(section).join("")}` : "";
    write("law/" + code, { title: `Law of ${country}`, description: `The statutes of ${country} that deadlines apply.` },
      `Aviso applies these statutes, and no others. Each has a sentence of ours, not the text of the law; if you find a ` +
      `mistake, tell us its name in the data.\n\n${coverage(statutes)}## Statutes\n\n` +
      `${statutes.map(section).join("") || "None.\n\n"}${prices}## Withdrawal\n\n${withdrawals.map(section).join("")}`);
  }
  write("law", { title: "Law by country", description: "The statutes that deadlines apply, and who confirmed them." },
    "These statutes beat what a contract says about its end. Where one is not confirmed, an answer says both what it " +
    "gives and what is certain, and advises the earlier day to send.\n\n" +
    `| Country | Statutes | Confirmed | Not confirmed | Sectors known | Partly | Not |\n|---|---|---|---|---|---|---|\n${rows.join("")}`);
}
