import "#http/request-metrics"
import "#overviews/system-status/health-routes"
import "#http/rate-limits"
import "#platform/system/job-runs"
import "#kit/pressure"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { alarms, createLog } from "#kit/log"
import { metrics, readMetrics } from "#kit/metrics"
import { listFiles } from "../../../tools/architecture/source-tree.ts"

const repository = fileURLToPath(new URL("../../..", import.meta.url))
const read = (file: string) => readFileSync(repository + file, "utf8")
const rules = read("deploy/prometheus/tilinta.rules.yaml")
const sorted = (names: Iterable<string>) => [...new Set(names)].sort()
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = ""]) => found)

test("the alarms of the code, of docs/operations-reference.md and of the rules are the same", () => {
  const [, section = ""] = read("docs/operations-reference.md").split("## What to watch")
  const [table = ""] = section.split("\n## ")
  const [ofAlarms = ""] = rules.split("tilinta-figures")
  expect(sorted(all(table, /^\| `([a-z_]+)`/gm))).toEqual(sorted(alarms))
  expect(sorted(all(ofAlarms, /alert: ([a-z_]+)/g))).toEqual(sorted(alarms))
  expect(sorted(all(ofAlarms, /alarms_total\{alarm="([a-z_]+)"\}/g))).toEqual(sorted(alarms))
})

test("whatever the code logs as an alarm is listed, and whatever is listed is logged", () => {
  const sources = listFiles(repository).filter((file) => /^server\/src\/.*(?<!\.test)\.ts$/.test(file))
  const code = sources.map(read).join("\n")
  const unreadable = ["receipt", "refund", "payout"].map((kind) => `unreadable_${kind}`)
  expect(code).toContain("alarm: `unreadable_${kind}`")
  expect(sorted([...all(code, /\balarm: "([a-z_]+)"/g), ...unreadable])).toEqual(sorted(alarms))
})

test("an alarm that is logged is counted; a word that is none adds no series", async () => {
  const log = createLog("warn", { write: () => undefined })
  const count = async () => {
    const text = await metrics.getSingleMetricAsString("alarms_total")
    return { payouts: Number(/alarm="payout_stuck"\} (\d+)/.exec(text)?.[1]), series: all(text, /alarm="(.*?)"/g) }
  }
  const before = await count()
  log.warn({ alarm: "payout_stuck" }, "a payout has had no outcome")
  log.warn({ alarm: "somebody's text" }, "no alarm")
  const after = await count()
  expect(after.payouts).toBe(before.payouts + 1)
  expect(sorted(after.series)).toEqual(sorted(alarms))
})

test("the rules and the dashboard ask for figures that exist", async () => {
  const ours = await readMetrics()
  const there = new Set(all(ours, /^# TYPE (\S+)/gm))
  const panels = (JSON.parse(read("deploy/grafana/tilinta.json")) as { panels: { targets: { expr: string }[] }[] })
    .panels
  const asked = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
  const figures = [...asked, ...all(rules, /expr: (.+)/g)].flatMap((expr) =>
    all(expr.replaceAll(/\{[^}]*\}|"[^"]*"|\bby \([^)]*\)/g, ""), /\b([a-z]\w*_\w+)\b(?!\()/g),
  )
  expect(figures.length).toBeGreaterThan(30)
  const missing = figures.filter((name) => !there.has(name) && !there.has(name.replace(/_(bucket|sum|count)$/, "")))
  expect(missing).toEqual([])
})
