import { expect, test } from "vitest"
import { announcementBetween, formatRemaining } from "./countdown.ts"

const MINUTE_MS = 60_000

test("only 5 minutes, 1 minute and the end are announced", () => {
  const spoken: string[] = []
  for (let left = 7 * MINUTE_MS; left > -5000; left -= 1000) {
    const text = announcementBetween(left, left - 1000)
    if (text !== null) spoken.push(`${(left - 1000) / MINUTE_MS}: ${text}`)
  }
  expect(spoken).toEqual(["5: Faltam 5 minutos.", "1: Falta 1 minuto.", "0: Prazo encerrado. Conferindo o pagamento…"])
})

test("a device that slept announces only where it woke up", () => {
  expect(announcementBetween(10 * MINUTE_MS, 30_000)).toContain("1 minuto")
  expect(announcementBetween(10 * MINUTE_MS, -1)).toContain("Prazo encerrado")
})

test("a code that lives shorter than a mark isn't announced at its birth", () => {
  expect(announcementBetween(4 * MINUTE_MS, 4 * MINUTE_MS - 1000)).toBeNull()
})

test.each([
  [24 * 60 * MINUTE_MS - 1000, "23 h 59 min"],
  [60 * MINUTE_MS, "1 h 00 min"],
  [60 * MINUTE_MS - 1000, "59:59"],
  [14 * MINUTE_MS + 31_001, "14:32"],
  [900, "00:01"],
  [0, "00:00"],
  [-5000, "00:00"],
])("%d ms left read %s", (ms, text) => {
  expect(formatRemaining(ms)).toBe(text)
})
