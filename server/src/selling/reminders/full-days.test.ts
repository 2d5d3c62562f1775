import { REMINDERS_A_DAY } from "@tilinta/contract/vocabulary/reminders"
import { sql } from "kysely"
import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { listNotices } from "#platform/mails/notices"
import type { Invoice } from "#selling/invoices/rules"
import { openReminderSandbox } from "../../../test-support/reminder-sandbox.ts"
import { remindByHand } from "./send.ts"

const world = await openReminderSandbox()
const { sandbox, db, run, run9, deliver, enter, charge, turnOn, stepsOf, seller, now, sellerId } = world

beforeEach(world.begin)
afterAll(world.close)

/** The seller's other mails of the day: all but so many. */
async function fillDay(
  { id, customerId }: { id: string; customerId: string },
  day: string,
  left: number,
): Promise<void> {
  await sql`
    insert into reminders (id, seller_id, customer_id, invoice_id, step, channel, day, amount_cents, mail_key, status, created_at)
    select gen_random_uuid(), ${sellerId()}, ${customerId}, ${id}, null, 'email', ${day}::date, 100, ${`full:${id}:`} || number, 'bounced', ${now()}
    from generate_series(1, ${REMINDERS_A_DAY - left}) number`.execute(db)
}

describe("a day that is full", () => {
  test("sends no more, tells the seller once, and what still makes sense goes on the day after, once", async () => {
    await turnOn({ created: { enabled: false } })
    const other = await enter()
    const full = await charge(other)
    const customers = [await enter(), await enter(), await enter()]
    const invoices: Invoice[] = []
    for (const customerId of customers) invoices.push(await charge(customerId))
    await fillDay({ id: full.id, customerId: other }, "2026-12-07", 1)
    await run9("2026-12-07")
    await Promise.all([run(), run()])
    const told = async () => (await Promise.all(invoices.map(stepsOf))).flat()
    expect(await told()).toEqual(["before_3 queued"])
    const { notices } = await listNotices(db, sellerId(), { limit: 10 })
    expect(notices.map(({ title }) => title)).toEqual(["Hoje já foram 1.000 lembretes por e-mail"])
    const [waiting] = invoices.filter((_, at) => at > 0)
    await expect(
      remindByHand(sandbox, { id: waiting?.id ?? "", seller: seller(), channel: "email" }),
    ).rejects.toMatchObject({ code: "too_many_requests" })
    await deliver()
    await run9("2026-12-08")
    await Promise.all([run(), run()])
    expect((await told()).filter((line) => line.startsWith("before_3"))).toHaveLength(3)
    await run9("2026-12-09")
    expect(await told()).toHaveLength(3)
  })

  test("of yesterday lets nothing go late that wasn't kept back by it", async () => {
    await turnOn({ created: { enabled: false } })
    const invoice = await charge(await enter())
    await run9("2026-12-08")
    expect(await stepsOf(invoice)).toEqual([])
  })
})
