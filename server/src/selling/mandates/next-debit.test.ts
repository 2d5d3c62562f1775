import { afterAll, beforeEach, expect, test } from "vitest"
import { updateSubscription } from "#selling/subscriptions/manage"
import { getSubscription } from "#selling/subscriptions/reads"
import { openAutomaticSandbox } from "../../../test-support/automatic-sandbox.ts"
import { cancelDebit } from "./debits.ts"
import { findNextDebits } from "./manage.ts"
import { findSettledDays } from "./reads.ts"

const world = await openAutomaticSandbox()
const { sandbox, bank, at, own, subscribe, request, mandateOf, approve, run, debitOf, withDebit, payByLink } = world
const { now, sellerId } = world

beforeEach(() => world.begin())
afterAll(() => world.end())

/** As the seller and the customer read it. */
async function nextOf({ subscription, mandate }: Awaited<ReturnType<typeof withDebit>>) {
  const shown = { mandate: await mandateOf(mandate), subscription: await getSubscription(sandbox.db, subscription.id) }
  return (await findNextDebits(sandbox, [shown], now())).get(mandate.id)?.nextDay
}

test("the next debit is the one that is with the bank, until it is over", async () => {
  const made = await withDebit()
  const { debit } = made
  const next = () => nextOf(made)
  bank.schedule(debit.txid)
  at("2026-12-29")
  await run()
  expect(await next()).toBe("2026-12-31")
  at("2026-12-31", "21:31")
  bank.fail(debit.txid, "expired", null)
  await run()
  expect(await next()).toBe("2027-01-02")
  await cancelDebit(sandbox, own(debit))
  expect(await next()).toBe("2027-01-31")
})

test("no debit is promised of a cycle that was paid by link or whose debit was called off, or that nobody asks for", async () => {
  const calledOff = await withDebit()
  await cancelDebit(sandbox, own(calledOff.debit))
  await run()
  at("2026-12-26")
  expect(await nextOf(calledOff)).toBe("2027-01-31")
  await sandbox.db.deleteFrom("automatic_sellers").where("seller_id", "=", sellerId()).execute()
  expect(await nextOf(calledOff)).toBe(null)
})

test("a cycle that was paid before its debit was made has none", async () => {
  const subscription = await subscribe()
  await approve(await request(subscription))
  at("2026-12-22")
  await run()
  const days = () => findSettledDays(sandbox.db, [subscription.id])
  expect(await days()).toEqual(new Map())
  await payByLink((await debitOf(subscription)).invoice)
  expect(await days()).toEqual(new Map([[subscription.id, "2026-12-31"]]))
})

test("mails name the amount that is debited, and its day, whatever the price is meanwhile", async () => {
  const subscription = await subscribe()
  await approve(await request(subscription))
  at("2026-12-22")
  await run()
  await updateSubscription(sandbox, own(subscription), { amount: 120 })
  at("2026-12-24")
  await run()
  const mails = await sandbox.db
    .selectFrom("mails")
    .select("content")
    .where("dedupe_key", "like", `subscription:${subscription.id}:%`)
    .execute()
  expect(mails.map(({ content }) => content)).toContainEqual(
    expect.objectContaining({
      change: "debit_coming",
      amountCents: 10_000,
      debit: expect.objectContaining({ day: "2026-12-31" }),
    }),
  )
})
