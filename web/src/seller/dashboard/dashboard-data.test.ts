import { expect, test } from "vitest"
import { greetingFor, newlyPaid } from "./dashboard-data.ts"

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

const row = (_id: string, status: string) => ({ _id, status })

test("the first variant announces nothing", () => {
  expect(newlyPaid(null, [row("1", "pago")])).toEqual([])
})

test("what turned paid is announced once", () => {
  const before = [row("2", "pendente"), row("1", "pago")]
  const now = [row("2", "pago"), row("1", "pago")]
  expect(newlyPaid(before, now)).toEqual([row("2", "pago")])
  expect(newlyPaid(now, now)).toEqual([])
})

test("a new row that is already paid is announced, an older one that moved up is not", () => {
  const before = [row("5", "pendente"), row("4", "pago")]
  expect(newlyPaid(before, [row("6", "pago"), row("5", "pendente")])).toEqual([row("6", "pago")])
  expect(newlyPaid(before, [row("5", "pendente"), row("3", "pago")])).toEqual([])
})

test("the very first payment of an empty list is announced", () => {
  expect(newlyPaid([], [row("1", "pago")])).toEqual([row("1", "pago")])
})
