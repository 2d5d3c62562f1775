import { afterAll, beforeEach, expect, test } from "vitest"
import { eraseOwnData } from "#selling/customers/own-data"
import { cancelSubscription } from "#selling/subscriptions/manage"
import { openAutomaticSandbox } from "../../../test-support/automatic-sandbox.ts"
import { cancelMandate } from "./manage.ts"
import { getDebit } from "./reads.ts"
import { planDebits } from "./run.ts"

const world = await openAutomaticSandbox()
const { sandbox, deps, bank, at, own, subscribe, request, approve, mandateOf, withDebit, codeOf } = world

beforeEach(() => world.begin())
afterAll(() => world.end())

const changes = [
  ["is another now", { name: "efi" }],
  ["isn't asked for debits any more", { automatic: null }],
] as const

test.each(changes)("a debit whose bank %s is left to the link once its day is over", async (_why, change) => {
  const { invoice, debit } = await withDebit()
  const changed = { ...deps, psp: { ...deps.psp, ...change } }
  at("2026-12-31", "23:00")
  await planDebits(changed)
  expect((await getDebit(sandbox.db, debit.id)).endedAt).toBeNull()
  await expect(codeOf(invoice)).rejects.toMatchObject({ code: "debit_under_way" })
  at("2027-01-01", "06:00")
  await planDebits(changed)
  await planDebits(changed)
  expect(await getDebit(sandbox.db, debit.id)).toMatchObject({ status: "failed", endedAt: expect.any(Date) })
  expect(await codeOf(invoice)).toBeTruthy()
})

test.each(changes)(
  "an authorisation whose bank %s ends when it is cancelled, and its customer can be erased",
  async (_why, change) => {
    const subscription = await subscribe()
    const mandate = await approve(await request(subscription))
    await cancelSubscription(sandbox, { ...own(subscription), cancelOpenInvoices: true })
    const changed = { ...deps, psp: { ...deps.psp, ...change } }
    await cancelMandate(changed, own(mandate))
    await planDebits(changed)
    await planDebits(changed)
    expect(await mandateOf(mandate)).toMatchObject({ status: "cancelled_by_us", endedAt: expect.any(Date) })
    const customer = { id: subscription.customer.id, sellerId: world.sellerId() }
    expect(await eraseOwnData(sandbox, { customer, address: "127.0.0.1" })).toBe(true)
  },
)

test.each(changes)(
  "an authorisation whose bank %s ends once nobody asked about it for three days",
  async (_why, change) => {
    const [live, asked] = [await subscribe(), await subscribe()]
    const approved = await approve(await request(live))
    const waiting = await request(asked)
    const changed = { ...deps, psp: { ...deps.psp, ...change } }
    at("2026-12-04", "11:00")
    await planDebits(changed)
    expect([(await mandateOf(approved)).status, (await mandateOf(waiting)).status]).toEqual(["approved", "waiting"])
    at("2026-12-05", "12:01")
    await planDebits(changed)
    expect([(await mandateOf(approved)).status, (await mandateOf(waiting)).status]).toEqual([
      "cancelled_by_bank",
      "expired",
    ])
    expect((await request(asked)).status).toBe("waiting")
  },
)

test("an authorisation that is asked about lives, however old it is", async () => {
  const mandate = await approve(await request(await subscribe()))
  at("2026-12-20")
  await planDebits(deps)
  expect((await mandateOf(mandate)).status).toBe("approved")
})

test("one of an account that the bank doesn't know any more gives way to the new one", async () => {
  const subscription = await subscribe()
  const old = await approve(await request(subscription))
  bank.recurrences.splice(
    bank.recurrences.findIndex(({ contract }) => contract === old.contract),
    1,
  )
  const young = await approve(await request(subscription))
  await world.askSoon()
  expect(await mandateOf(young)).toMatchObject({ status: "approved", cancelSince: null })
  expect(await mandateOf(old)).toMatchObject({ status: "cancelled_by_us", endedAt: expect.any(Date) })
})
