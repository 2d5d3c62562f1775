import { expect, test } from "vitest"
import { waitingTime } from "./waiting-time.ts"

const now = new Date("2026-11-21T12:00:00Z")

test.each([
  ["2026-11-21T12:00:05Z", "agora"],
  ["2026-11-21T11:59:01Z", "agora"],
  ["2026-11-21T11:59:00Z", "há 1 min"],
  ["2026-11-21T11:00:01Z", "há 59 min"],
  ["2026-11-21T11:00:00Z", "há 1 h"],
  ["2026-11-19T12:00:01Z", "há 47 h"],
  ["2026-11-19T12:00:00Z", "há 2 dias"],
  ["ontem", ""],
])("a request of %s waits '%s'", (since, expected) => {
  expect(waitingTime(since, now)).toBe(expected)
})
