import { encodeDynamic } from "@tilinta/brcode/encode"
import { afterAll, expect, test } from "vitest"
import { DomainError } from "#kit/errors"
import { verifyLedger } from "#ledger/reads"
import { requestRefund } from "#money/refunds/request"
import { settleRefunds } from "#money/refunds/settle"
import type { Psp, PspCharge } from "#psp/psp"
import { createCharge } from "#selling/charges/create"
import { expireCharges } from "#selling/charges/end"
import { cancelChargePage } from "#selling/closings/closings"
import { asOwner } from "../../../test-support/as-owner.ts"
import { createPage, createSeller, openSandbox, receiptOf } from "../../../test-support/sandbox.ts"
import { withSharedClock } from "../../../test-support/shared-clock.ts"
import { testSizes } from "../../../test-support/test-sizes.ts"
import { bookPayments } from "./book.ts"
import { readSellerBalance } from "./reads.ts"
import { findPaymentDifferences } from "./verify-reads.ts"

const atOnce = 12
const events = ["create", "pay", "duplicate", "refund", "expire", "cancel"] as const
type Event = (typeof events)[number]

const sandbox = await openSandbox()

afterAll(async () => {
  expect(await verifyLedger(sandbox.db)).toEqual([])
  expect(await findPaymentDifferences(sandbox.db)).toEqual([])
  await sandbox.close()
})

function ordersOf<T>(all: readonly T[]): T[][] {
  if (all.length <= 1) return [[...all]]
  return all.flatMap((first) => ordersOf(all.filter((each) => each !== first)).map((rest) => [first, ...rest]))
}

/** Stores the charge before the bank is asked; 'create' is the moment of the bank's answer. */
async function beginCharge() {
  const sellerId = await createSeller(sandbox)
  const page = await createPage(sandbox, { sellerId, maxPayments: null })
  const charge = Promise.withResolvers<string>()
  const answer = Promise.withResolvers<PspCharge>()
  const psp = {
    ...sandbox.psp,
    async createCharge({ txid }: { txid: string }) {
      charge.resolve(txid)
      return answer.promise
    },
  }
  const request = { pageId: page.id, customerInfo: null, idempotencyKey: null }
  const created = createCharge({ ...sandbox, psp }, request).catch(refusalOnly)
  const txid = await charge.promise
  const url = `bank.example/qr/v2/${txid}`
  const pixCode = encodeDynamic({ url, merchantName: "TILINTA", merchantCity: "SAO PAULO", amountCents: 10_000 })
  return { sellerId, pageId: page.id, txid, answerWithCode: () => answer.resolve({ pixCode }), created }
}

/** Refused before the payment is known, in which case the seller retries. */
async function refund(txid: string, sellerId: string): Promise<void> {
  const { id } = await sandbox.db.selectFrom("charges").select("id").where("txid", "=", txid).executeTakeFirstOrThrow()
  const order = { chargeId: id, origin: "seller", amountCents: null, reason: "", idempotencyKey: null } as const
  await requestRefund(sandbox, { ...order, actor: { id: sellerId, address: null } }).catch(refusalOnly)
}

function refusalOnly(error: unknown): null {
  if (error instanceof DomainError) return null
  throw error
}

async function live(order: Event[]) {
  const { sellerId, pageId, txid, answerWithCode, created } = await beginCharge()
  const receipt = receiptOf(txid, 10_000)
  const happen: Record<Event, () => Promise<unknown>> = {
    async create() {
      answerWithCode()
      await created
    },
    pay: () => bookPayments(sandbox, [receipt]),
    duplicate: () => bookPayments(sandbox, [receipt]),
    async expire() {
      await asOwner(sandbox, `update charges set expires_at = now() - interval '1 minute' where txid = '${txid}'`)
      await expireCharges(sandbox)
    },
    cancel: () => cancelChargePage(sandbox, { id: pageId, sellerId }).catch(refusalOnly),
    refund: () => refund(txid, sellerId),
  }
  for (const event of order) await happen[event]()
  await happen.refund()
  return { order, txid, sellerId }
}

async function readEnd({ order, txid, sellerId }: Awaited<ReturnType<typeof live>>) {
  const charge = await sandbox.db.selectFrom("charges").selectAll().where("txid", "=", txid).executeTakeFirstOrThrow()
  const booked = await sandbox.db
    .selectFrom("ledger_postings")
    .select(["debit_account", "amount_cents"])
    .where("seller_id", "=", sellerId)
    .orderBy("amount_cents")
    .orderBy("debit_account")
    .execute()
  return {
    order,
    status: charge.status,
    balance: await readSellerBalance(sandbox.db, sellerId),
    postings: booked.map((each) => `${each.debit_account} ${each.amount_cents}`.replace(sellerId, "")),
  }
}

const refundsAtOnce: Pick<Psp, "findRefund" | "requestRefund"> = {
  findRefund: async () => null,
  requestRefund: async ({ pspRefundId, amountCents }) => ({
    pspRefundId,
    amountCents,
    state: "completed",
    returnId: null,
    reason: null,
    settledAt: null,
  }),
}

const postings = [
  "fee-revenue 1500",
  "seller-available: 1500",
  "seller-available: 8500",
  "psp-clearing:simulator 10000",
  "refunds-under-way:simulator 10000",
]

test("H07: the ledger and the status end the same in whatever order events become known", {
  timeout: 900_000,
}, async () => {
  const all = ordersOf(events)
  expect(all).toHaveLength(720)
  const first = Math.floor(Math.random() * testSizes.orderStep)
  const orders = all.filter((_, index) => index % testSizes.orderStep === first)
  for (let start = 0; start < orders.length; start += atOnce) {
    const some = orders.slice(start, start + atOnce)
    const lived = await Promise.all(some.map(live))
    await settleRefunds({ ...sandbox, psp: { ...sandbox.psp, ...refundsAtOnce } })
    await expireCharges(withSharedClock(sandbox, { now: () => new Date(Date.now() + 3_600_000) }))
    expect(await Promise.all(lived.map(readEnd))).toEqual(
      some.map((order) => ({ order, status: "refunded", balance: 0, postings })),
    )
  }
})
