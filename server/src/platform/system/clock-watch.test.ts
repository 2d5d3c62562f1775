import { expect, test } from "vitest"
import { secondsAfter } from "#kit/clock"
import { createLog } from "#kit/log"
import { createClockWatch } from "./job-runs.ts"

const now = new Date("2026-11-21T12:00:00Z")

function watchedFor(looks: number, aheadSeconds: number | null) {
  const alarms: unknown[] = []
  const log = createLog("error", { write: (line) => void alarms.push(JSON.parse(line)) })
  const bankTime = () => (aheadSeconds === null ? null : secondsAfter(now, -aheadSeconds))
  const watch = createClockWatch({ psp: { bankTime }, clock: { now: () => now }, log })
  const seen = Array.from({ length: looks }, watch)
  return { seen: seen.at(-1), alarms }
}

test("a skew of more than a minute raises an alarm at the second look, and again an hour later", () => {
  expect(watchedFor(1, 61)).toMatchObject({ seen: 61, alarms: [] })
  expect(watchedFor(2, 61)).toMatchObject({ seen: 61, alarms: [{ alarm: "clock_skew", aheadSeconds: 61 }] })
  expect(watchedFor(361, -1_200).alarms).toMatchObject([{ aheadSeconds: -1_200 }])
  expect(watchedFor(362, -1_200).alarms).toHaveLength(2)
})

test("a clock that is right, or can't be compared, raises none", () => {
  for (const ahead of [0, 60, -60, null]) expect(watchedFor(10, ahead)).toEqual({ seen: ahead, alarms: [] })
})
