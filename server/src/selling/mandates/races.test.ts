import { afterAll, beforeAll, expect, test } from "vitest"
import { DomainError } from "#kit/errors"
import { bookPayments } from "#money/payments/book"
import type { PaymentReceived } from "#psp/psp"
import { cancelInvoice, updateInvoice } from "#selling/closings/invoices"
import { openAutomaticSandbox } from "../../../test-support/automatic-sandbox.ts"
import { receiptOf } from "../../../test-support/sandbox.ts"
import { testSizes } from "../../../test-support/test-sizes.ts"
import { getDebit } from "./reads.ts"

const { sandbox, bank, begin, end, at, own, withDebit, run, codeOf, debitOf, now } = await openAutomaticSandbox()

beforeAll(begin)
afterAll(end)

/** Null of money that pays its invoice, and waits for nobody. */
async function reasonOf({ endToEndId }: PaymentReceived): Promise<string | null> {
  await sandbox.db.selectFrom("payments").where("end_to_end_id", "=", endToEndId).executeTakeFirstOrThrow()
  const waiting = sandbox.db.selectFrom("unmatched_payments").select("reason").where("end_to_end_id", "=", endToEndId)
  return (await waiting.executeTakeFirst())?.reason ?? null
}

/** When everything happens at once, and whether the bank settles the debit then. */
const moments = {
  "days before": { day: "2026-12-25", hour: "12:00", isDebited: false },
  "before the codes end": { day: "2026-12-30", hour: "20:50", isDebited: false },
  "on the day, with a payment of the evening before": { day: "2026-12-31", hour: "06:00", isDebited: true },
  "on the morning before another attempt": { day: "2027-01-01", hour: "08:00", isDebited: false },
}

test.each(Object.entries(moments))(
  "%s: by link, by debit, edited and cancelled at once, nobody pays twice",
  { timeout: 600_000 },
  async (_name, moment) => {
    for (let round = 0; round < testSizes.debitRaces; round += 1) {
      at("2026-12-01")
      const { invoice, debit, subscription } = await withDebit()
      bank.schedule(debit.txid)
      const isRetry = moment.day > debit.dueDay
      if (isRetry) {
        at("2026-12-31", "21:31")
        bank.fail(debit.txid, "expired", null)
        await run()
      }
      // A code that is paid on the day itself was asked for before.
      at(moment.isDebited ? "2026-12-30" : moment.day, moment.isDebited ? "20:50" : moment.hour)
      const held = round % 2 === 0 || moment.isDebited ? await codeOf(invoice) : null
      const paidAt = now()
      at(moment.day, moment.hour)
      const took: PaymentReceived[] = []
      // From here on the bank knows of it, and goes on whatever we say.
      let isTooLate = moment.isDebited

      const byLink = async () => {
        const { txid, amountCents } = held ?? (await codeOf(invoice))
        const receipt = { ...receiptOf(txid, amountCents), paidAt }
        took.push(receipt)
        await bookPayments(sandbox, [receipt])
        isTooLate ||= (await getDebit(sandbox.db, debit.id)).retrySentAt !== null
      }
      const byDebit = async () => {
        const atBank = bank.debits.get(debit.txid)
        if (atBank?.state === "cancelled" || atBank?.attempts.at(-1)?.state === "expired") return
        const receipt = bank.pay(debit.txid)
        took.push(receipt)
        await bookPayments(sandbox, [receipt])
      }
      const edit = () => updateInvoice(sandbox, own(invoice), { terms: { amount: 150 }, order: {} })
      const cancel = () => cancelInvoice(sandbox, own(invoice))
      const works = [byLink, run, ...(moment.isDebited ? [byDebit] : []), edit, ...(round % 3 === 0 ? [cancel] : [])]
      const outcomes = await Promise.allSettled(works.toSorted(() => Math.random() - 0.5).map((work) => work()))
      for (const outcome of outcomes)
        if (outcome.status === "rejected") expect(outcome.reason).toBeInstanceOf(DomainError)

      await run()
      if (!moment.isDebited) {
        at(isRetry ? "2027-01-02" : debit.dueDay, "09:00")
        await byDebit()
      }
      await run()
      await bookPayments(sandbox, took)
      expect(took.length).toBeLessThanOrEqual(isTooLate ? 2 : 1)
      const reasons = await Promise.all(took.map(reasonOf))
      // After a cancellation the first is late; only the second is one too many.
      expect(reasons.filter((reason) => reason === "duplicate")).toHaveLength(Math.max(0, took.length - 1))
      const { invoice: after } = await debitOf(subscription)
      if (took.length > 0) expect(after.status).toBe("paid")
      else expect(["open", "cancelled"]).toContain(after.status)
      expect((await getDebit(sandbox.db, debit.id)).endedAt).not.toBeNull()
    }
  },
)
