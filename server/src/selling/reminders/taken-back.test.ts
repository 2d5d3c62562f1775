import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { updateInvoice } from "#selling/closings/invoices"
import { codesOf, times } from "../../../test-support/races.ts"
import { openReminderSandbox } from "../../../test-support/reminder-sandbox.ts"
import { settleReminders } from "./settle.ts"

const world = await openReminderSandbox()
const { sandbox, run, run9, deliver, pay, enter, charge, turnOn, stepsOf, own } = world

beforeEach(world.begin)
afterAll(world.close)

describe("a mail that is taken back", () => {
  test("because one of its invoices was paid leaves the others to the next mail of the day, once", async () => {
    await turnOn({ created: { enabled: false } })
    const customer = await enter()
    const [paid, other] = [await charge(customer), await charge(customer, { amount: 50 }, "Uniforme")]
    await run9("2026-12-10")
    await pay(paid)
    expect(await deliver()).toEqual([])
    expect(codesOf(await times(3, run))).toEqual({ ok: 3 })
    const [mail, ...more] = await deliver()
    expect(more).toEqual([])
    expect(mail?.text.replaceAll("\u00a0", " ")).toContain("R$ 50,00")
    expect(mail?.text).not.toContain(paid.uniqueLink)
    await run()
    expect(await deliver()).toEqual([])
    expect(await stepsOf(paid)).toEqual(["due withheld"])
    expect(await stepsOf(other)).toEqual(["due withheld", "due sent"])
  })

  test("goes again with the amount that it has now, also an announcement", async () => {
    await turnOn()
    const invoice = await charge(await enter())
    await run()
    await updateInvoice(sandbox, own(invoice), { terms: { amount: 80 }, order: {} })
    await settleReminders(sandbox)
    await run()
    const [mail] = await deliver()
    expect(mail?.text.replaceAll("\u00a0", " ")).toContain("R$ 80,00")
    expect(await stepsOf(invoice)).toEqual(["created withheld", "created sent"])
  })
})
