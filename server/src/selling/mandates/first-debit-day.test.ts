import { afterAll, beforeEach, expect, test } from "vitest"
import { cycleOf } from "../../../../simulator/src/automatic-books.ts"
import { openAutomaticSandbox, refusedAs } from "../../../test-support/automatic-sandbox.ts"

const world = await openAutomaticSandbox()
const { bank, at, later, subscribe, request, approve, run, debitOf, payByLink } = world

beforeEach(() => world.begin())
afterAll(() => world.end())

test("the first debit is due on the subscription's own day, so that the bank, which repeats it, takes each debit after a short month", async () => {
  const subscription = await subscribe()
  at("2026-12-22")
  await run()
  await payByLink((await debitOf(subscription)).invoice)
  at("2027-01-22")
  await run()
  const mandate = await approve(await request(subscription, { journey: 3 }))
  expect(mandate.startsOn).toBe("2027-03-31")
  await payByLink((await debitOf(subscription, 2)).invoice)
  at("2027-02-21")
  await run()
  const february = await debitOf(subscription, 3)
  expect(february).toMatchObject({ debit: null, invoice: { terms: { dueDay: "2027-02-28" } } })
  await payByLink(february.invoice)
  for (const [number, day] of [
    [4, "2027-03-31"],
    [5, "2027-04-30"],
  ] as const) {
    at(day)
    later(-7 * 86_400)
    await run()
    const { debit } = await debitOf(subscription, number)
    expect(debit).toMatchObject({ dueDay: day, isSent: true })
    const calendario = { dataInicial: mandate.startsOn, periodicidade: "MENSAL" }
    expect(cycleOf({ calendario } as Parameters<typeof cycleOf>[0], day).day).toBe(day)
    at(day, "06:00")
    bank.pay(debit?.txid ?? "")
    await run()
    await run()
    expect(await debitOf(subscription, number)).toMatchObject({
      debit: { status: "paid" },
      invoice: { status: "paid" },
    })
  }
})

test.each([
  ["2027-01-29", "monthly", "2027-03-29"],
  ["2027-01-30", "monthly", "2027-03-30"],
  ["2027-01-31", "monthly", "2027-03-31"],
  ["2027-03-31", "monthly", "2027-05-31"],
  ["2028-01-29", "monthly", "2028-02-29"],
  ["2028-01-30", "monthly", "2028-03-30"],
  ["2027-01-31", "quarterly", "2027-07-31"],
  ["2027-08-31", "half_yearly", "2028-08-31"],
  ["2028-02-29", "yearly", "2032-02-29"],
  ["2027-01-28", "monthly", "2027-02-28"],
  ["2027-01-31", "weekly", "2027-02-07"],
] as const)("the first debit of one that begins on %s, %s: on %s", async (dueDate, period, startsOn) => {
  at(dueDate)
  const subscription = await subscribe({ terms: { dueDate }, period, leadDays: 4 })
  expect(await request(subscription)).toMatchObject({ startsOn })
})

test("another first day is refused, and so is one after the last cycle", async () => {
  at("2027-01-31")
  const terms = { dueDate: "2027-01-31" }
  const subscription = await subscribe({ terms })
  const message = "O banco repete o dia do primeiro débito: informe um vencimento do dia 31."
  await expect(request(subscription, { startsOn: "2027-02-28" })).rejects.toMatchObject({
    code: "validation_failed",
    errors: [{ path: "startsOn", message }],
  })
  expect(await request(subscription, { startsOn: "2027-05-31" })).toMatchObject({ startsOn: "2027-05-31" })
  await expect(request(await subscribe({ terms, cycles: 2 }))).rejects.toEqual(refusedAs("validation_failed"))
})
