import { type Edge, findCycles } from "./cycles.ts"
import { drawerOf, isHttpFile } from "./drawers.ts"
import type { Violation } from "./source-tree.ts"

/** From top to bottom: a noun may import its own floor and those below. */
const floors: Record<string, readonly string[]> = {
  integrations: ["event-feed", "webhooks", "account-deletions"],
  overviews: [
    "accounts",
    "reports",
    "search",
    "charge-details",
    "user-activity",
    "payment-proof",
    "personal-data",
    "ledger-checks",
    "system-status",
  ],
  bank: ["psp-inbox", "reconciliation", "daily-closes"],
  money: [
    "payments",
    "unmatched-payments",
    "refunds",
    "receipts",
    "disputes",
    "withdrawals",
    "destinations",
    "hand-settlements",
    "statements",
    "manual-entries",
    "reserves",
    "chain",
  ],
  selling: ["closings", "page-reports", "charges", "charge-pages", "return-origins"],
  people: ["users", "sessions", "second-factors", "second-approvals", "api-keys", "freezes"],
  platform: [
    "audit",
    "event-log",
    "settings",
    "mails",
    "notices",
    "idempotency",
    "exports",
    "totals",
    "job-runs",
    "nodes",
    "openings",
    "payments-rush",
    "money-kind",
    "sealing",
    "signing-keys",
    "retention",
    "backups",
    "legal-texts",
  ],
}

/** The nouns of this floor are one subject (what became of a payment), so they may know each other both ways. */
const floorOfOneSubject = "money"

const floorNames = Object.keys(floors)

export function checkFloorRules(edges: Edge[]): Violation[] {
  const between = edges.flatMap((edge) => {
    const from = nounOf(edge.from)
    const to = nounOf(edge.to)
    return from === null || to === null || from === to ? [] : [{ edge, from, to }]
  })
  const upward = between.flatMap(({ edge, from, to }) => {
    const message = againstTheFloors(from, to)
    return message === null ? [] : [{ rule: "floors-point-down", file: edge.from, line: edge.line, message }]
  })
  const downward = between.filter(({ from, to }) => againstTheFloors(from, to) === null)
  return [...upward, ...circlesOfNouns(downward)]
}

function againstTheFloors(from: string, to: string): string | null {
  const upper = floorOf(from)
  const lower = floorOf(to)
  if (upper === null || lower === null) return `'${upper === null ? from : to}' stands on no floor`
  if (floorNames.indexOf(upper) <= floorNames.indexOf(lower)) return null
  return `${from} (${upper}) must not know ${to} (${lower})`
}

/** Nouns in a circle can't be read one after the other, even where no two files know each other. */
function circlesOfNouns(between: { edge: Edge; from: string; to: string }[]): Violation[] {
  const files = new Map(between.map(({ edge, from, to }) => [`${from} ${to}`, edge] as const))
  const arrows = [...files].flatMap(([arrow, { line }]) => {
    const [from = "", to = ""] = arrow.split(" ")
    return floorOf(from) === floorOfOneSubject && floorOf(to) === floorOfOneSubject ? [] : [{ from, to, line }]
  })
  return findCycles(arrows).map(({ file, line, message }) => ({
    rule: "nouns-form-no-circle",
    file: files.get(`${file} ${message.split(" → ").at(-1) ?? ""}`)?.from ?? file,
    line,
    message,
  }))
}

/** Null outside the floors. A noun's routes and views belong to HTTP, which may know every floor. */
function nounOf(path: string): string | null {
  if (isHttpFile(path)) return null
  return drawerOf(path)?.noun ?? /^server\/src\/domain\/(?:.+\/)?([^/]+)\/[^/]+$/.exec(path)?.[1] ?? null
}

function floorOf(noun: string): string | null {
  return floorNames.find((floor) => floors[floor]?.includes(noun)) ?? null
}
