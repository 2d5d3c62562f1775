import { afterAll, beforeEach, expect, test } from "vitest"
import { isDueTxid } from "#kit/ids"
import { bookPayments } from "#money/payments/book"
import { sendTerms } from "#money/payments/due-codes"
import { PspError } from "#psp/psp"
import { updateSubscription } from "#selling/subscriptions/manage"
import { openAutomaticSandbox, refusedAs, workOnDebits } from "../../../test-support/automatic-sandbox.ts"
import { codesOf, times } from "../../../test-support/races.ts"
import { receiptOf } from "../../../test-support/sandbox.ts"
import { requestMandate } from "./manage.ts"

const world = await openAutomaticSandbox()
const { sandbox, deps, at, own, subscribe, request, approve, run, debitOf, codeOf, payByLink, now } = world

beforeEach(async () => {
  await world.begin()
  at("2026-12-22")
})
afterAll(() => world.end())

async function pay(txid: string | null) {
  const receipt = { ...receiptOf(txid, 10_000), paidAt: now() }
  await bookPayments(sandbox, [receipt])
  const waiting = sandbox.db.selectFrom("unmatched_payments").select("reason")
  return (await waiting.where("end_to_end_id", "=", receipt.endToEndId).executeTakeFirst())?.reason ?? null
}

test("in journey 4 the open cycle has one code until its end, which is paid and authorises the next ones", async () => {
  const subscription = await subscribe()
  const mandate = await request(subscription, { journey: 4 })
  expect(isDueTxid(mandate.firstTxid)).toBe(true)
  expect(mandate).toMatchObject({
    status: "waiting",
    startsOn: "2027-01-31",
    pixCode: `000201code${mandate.firstTxid}`,
  })
  const first = (await debitOf(subscription)).invoice
  expect(first).toMatchObject({ mode: "bank", pixCode: expect.stringContaining("br.gov.bcb.pix") })
  await approve(mandate)
  at("2026-12-24")
  await run()
  expect((await debitOf(subscription)).debit).toBeNull()
  expect(await pay(mandate.firstTxid)).toBeNull()
  at("2027-01-25")
  await run()
  expect((await debitOf(subscription)).invoice).toMatchObject({ id: first.id, status: "paid" })
  const next = await debitOf(subscription, 2)
  expect(next.invoice.mode).toBe("daily")
  expect(next.debit).toMatchObject({ dueDay: "2027-01-31", isSent: true })
})

test("in journey 4 the code that the link showed before ends; whoever pays both has paid one too many", async () => {
  const subscription = await subscribe()
  const before = await codeOf((await debitOf(subscription)).invoice)
  const mandate = await request(subscription, { journey: 4 })
  const { status } = await sandbox.db
    .selectFrom("charges")
    .select("status")
    .where("id", "=", before.id)
    .executeTakeFirstOrThrow()
  expect(status).toBe("cancelled")
  expect((await codeOf((await debitOf(subscription)).invoice)).txid).toBe(mandate.firstTxid)
  expect(await pay(mandate.firstTxid)).toBeNull()
  expect(await pay(before.txid)).toBe("duplicate")
})

test("asked for again with the same key it is the same authorisation, also when its first code is paid", async () => {
  const subscription = await subscribe()
  const ask = () => request(subscription, { journey: 4, idempotencyKey: "first" })
  const mandate = await ask()
  expect(await pay(mandate.firstTxid)).toBeNull()
  expect((await ask()).id).toBe(mandate.id)
  await expect(request(subscription, { idempotencyKey: "first" })).rejects.toEqual(refusedAs("idempotency_key_reused"))
})

test("journey 4 asked for twice, and four times at once, is one authorisation and one code", async () => {
  const subscription = await subscribe()
  const outcomes = await times(4, () => request(subscription, { journey: 4 }))
  expect(codesOf(outcomes)).toEqual({ ok: 1, mandate_waiting: 3 })
  await expect(request(subscription, { journey: 4 })).rejects.toEqual(refusedAs("mandate_waiting"))
  const { pageId } = (await debitOf(subscription)).invoice
  const codes = await sandbox.db.selectFrom("charges").select("txid").where("page_id", "=", pageId).execute()
  expect(codes).toHaveLength(1)
})

function requestAt(dueCharges: typeof sandbox.psp.dueCharges, { id }: { id: string }) {
  const psp = { ...sandbox.psp, dueCharges }
  const input = { subscriptionId: id, startsOn: null, retryPolicy: "none", idempotencyKey: null, journey: 4 } as const
  return requestMandate({ ...sandbox, psp }, { ...input, seller: own({ id }).seller })
}

test("a bank that offers no code with a due day, or refuses it, is told in words, and each day has a code again", async () => {
  const subscription = await subscribe()
  const inWords = (text: string) => ({ code: "validation_failed", shownMessage: expect.stringContaining(text) })
  await expect(requestAt(null, subscription)).rejects.toMatchObject(inWords("não oferece o código"))
  expect((await debitOf(subscription)).invoice.mode).toBe("daily")
  const refuse = () => Promise.reject(new PspError("rejected", "not in this contract"))
  const refusing = { needsAddress: false, create: refuse, revise: refuse }
  await expect(requestAt(refusing, subscription)).rejects.toMatchObject(inWords("recusou o código"))
  await sendTerms({ ...sandbox, psp: { ...sandbox.psp, dueCharges: refusing } })
  const { invoice } = await debitOf(subscription)
  expect(invoice).toMatchObject({ mode: "daily", bankRefusal: "not in this contract" })
  await payByLink(invoice)
  expect((await debitOf(subscription)).invoice.status).toBe("paid")
})

test("a refusal of the bank speaks to the seller who asked", async () => {
  const subscription = await subscribe()
  const refused = { code: "psp_refused", shownMessage: expect.stringContaining("suporte da plataforma") }
  const createCharge = () => Promise.reject(new PspError("rejected", "not in this contract"))
  const psp = { ...sandbox.psp, createCharge }
  const input = { subscriptionId: subscription.id, startsOn: null, retryPolicy: "none", idempotencyKey: null } as const
  const asked = { ...input, journey: 3, seller: own(subscription).seller } as const
  await expect(requestMandate({ ...sandbox, psp }, asked)).rejects.toMatchObject(refused)
  world.bank.fault("createRecurrence", "rejected")
  await expect(request(subscription)).rejects.toMatchObject(refused)
})

test("a cycle with the bank's code is never debited, and one that is debited never gets that code, also at once", async () => {
  const seen = new Set<string>()
  for (let round = 0; round < 6; round += 1) {
    // The first cycle is charged at once, at the price that the customer has authorised.
    at("2026-12-12")
    const subscription = await subscribe({ leadDays: 20 })
    await approve(await request(subscription))
    await updateSubscription(sandbox, own(subscription), { amount: 120 })
    at("2026-12-24")
    if (round === 0) await run()
    await Promise.allSettled([request(subscription, { journey: 4 }), ...(round === 1 ? [] : [workOnDebits(deps)])])
    await run()
    const { invoice, debit } = await debitOf(subscription)
    expect([invoice.mode, debit?.status ?? null]).toEqual(debit ? ["daily", "created"] : ["bank", null])
    seen.add(invoice.mode)
  }
  expect([...seen].toSorted()).toEqual(["bank", "daily"])
})
