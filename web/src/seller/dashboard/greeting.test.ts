import { expect, test } from "vitest"
import { greetingFor } from "./greeting.ts"

test.each([
  ["2026-11-21T09:00:00Z", "Bom dia, Ana"],
  ["2026-11-21T15:00:00Z", "Boa tarde, Ana"],
  ["2026-11-21T21:00:00Z", "Boa noite, Ana"],
  ["2026-11-21T06:00:00Z", "Boa noite, Ana"],
])("at %s, by the clock of São Paulo, one says %s", (now, greeting) => {
  expect(greetingFor("Ana Souza", new Date(now))).toBe(greeting)
})

test("a user without a name is greeted too", () => {
  expect(greetingFor(" ", new Date("2026-11-21T15:00:00Z"))).toBe("Boa tarde")
})
