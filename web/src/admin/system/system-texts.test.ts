import { expect, test } from "vitest"
import { durationText, momentText } from "./system-texts.ts"

test("a moment is shown by its age and date, and a missing one by a word", () => {
  const now = new Date("2026-11-21T15:03:00Z")
  expect(momentText("2026-11-21T15:00:00Z", now, "nunca")).toBe("há 3 min · 12:00")
  expect(momentText("2026-11-20T15:00:00Z", now, "nunca")).toBe("há 24 h · 20/11/2026 12:00")
  expect(momentText("2026-11-21T15:17:00Z", now, "nunca")).toBe("daqui a 14 min · 12:17")
  expect(momentText(null, now, "nunca")).toBe("nunca")
})

test.for([
  [0, "0 ms"],
  [999, "999 ms"],
  [1_250, "1,3 s"],
  [59_000, "59,0 s"],
  [150_000, "3 min"],
] as const)("%s ms read %s", ([ms, text]) => {
  expect(durationText(ms)).toBe(text)
})
