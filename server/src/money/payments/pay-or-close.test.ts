import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, expect, test } from "vitest"
import { reconcileReceipts } from "#bank/reconciliation/reconcile"
import { DomainError } from "#kit/errors"
import { verifyLedger } from "#ledger/reads"
import { createCharge } from "#selling/charges/create"
import { getPaymentStatus } from "#selling/charges/find"
import { cancelChargePage, deleteChargePage, updateChargePage } from "#selling/closings/closings"
import { createPage, createSeller, openSandbox } from "../../../test-support/sandbox.ts"
import { removeDueCharges } from "./book.ts"
import { readSellerBalance } from "./reads.ts"
import { findPaymentDifferences } from "./verify-reads.ts"

const races = 60
const atOnce = 10

const sandbox = await openSandbox()

afterAll(async () => {
  expect(await verifyLedger(sandbox.db)).toEqual([])
  expect(await findPaymentDifferences(sandbox.db)).toEqual([])
  await sandbox.close()
})

type Which = { id: string; sellerId: string }

const ends: Record<string, (which: Which) => Promise<unknown>> = {
  cancelled: (which) => cancelChargePage(sandbox, which),
  deleted: (which) => deleteChargePage(sandbox, which),
  "given another amount": (which) => updateChargePage(sandbox, { ...which, changes: { amountCents: 100 as Cents } }),
}

/** The payment may have completed the page: then there is nothing to end. */
function unlessCompleted(error: unknown): void {
  const isCompleted = error instanceof DomainError && /^charge_page_not_(active|editable)$/.test(error.code)
  if (!isCompleted) throw error
}

async function after(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** The payer pays before the seller acts, at the same time, just before or while the bank is told, or too late. */
async function race(end: string, index: number) {
  const sellerId = await createSeller(sandbox)
  // Payments of a page with a limit are booked under its lock, the others without it.
  const page = await createPage(sandbox, { sellerId, maxPayments: index % 2 === 0 ? 1 : null })
  const charge = await createCharge(sandbox, { pageId: page.id, customerInfo: null, idempotencyKey: null })
  const pay = () => after(index % 7).then(() => sandbox.pay(charge.pixCode))
  const close = () => ends[end]?.({ id: page.id, sellerId }).catch(unlessCompleted)
  const remove = () => after(index % 3).then(() => removeDueCharges(sandbox))
  const orders = [
    () => Promise.all([pay(), close(), remove(), reconcileReceipts(sandbox)]),
    () => Promise.all([pay(), Promise.resolve(close()).then(remove)]),
    async () => {
      await close()
      return Promise.all([pay(), remove(), remove()])
    },
    async () => {
      await close()
      const closing = remove()
      return Promise.all([pay(), closing])
    },
    async () => {
      await close()
      await remove()
      return [await pay()] as const
    },
  ]
  const [{ status } = { status: 0 }] = (await orders[index % orders.length]?.()) ?? []
  return { sellerId, charge, isPaid: status === 201 }
}

test.for(Object.keys(ends))(
  "P07: a page that is %s while it is paid: paid and credited, or ended and no longer payable",
  { timeout: 900_000 },
  async (end) => {
    const outcomes = []
    for (let start = 0; start < races; start += atOnce) {
      const some = Array.from({ length: atOnce }, (_, index) => race(end, start + index))
      outcomes.push(...(await Promise.all(some)))
    }
    await reconcileReceipts(sandbox)
    await removeDueCharges(sandbox)
    for (const { sellerId, charge, isPaid } of outcomes) {
      expect({
        status: await getPaymentStatus(sandbox, charge.id),
        balance: await readSellerBalance(sandbox.db, sellerId),
        bank: (await sandbox.pay(charge.pixCode)).status,
      }).toEqual({ status: isPaid ? "pago" : "cancelado", balance: isPaid ? 8_500 : 0, bank: 422 })
    }
  },
)

test.for([
  [10_000, 100],
  [100, 10_000],
] as const)(
  "P05: a Pix of %d is paid after its page was changed to %d: booked at its own amount",
  async ([own, other]) => {
    const sellerId = await createSeller(sandbox)
    const page = await createPage(sandbox, { sellerId, reais: own / 100 })
    const charge = await createCharge(sandbox, { pageId: page.id, customerInfo: null, idempotencyKey: null })
    const changes = { amountCents: other as Cents }
    await updateChargePage(sandbox, { id: page.id, sellerId, changes })
    expect((await sandbox.pay(charge.pixCode)).status).toBe(201)
    await removeDueCharges(sandbox)
    expect(await getPaymentStatus(sandbox, charge.id)).toBe("pago")
    expect(await readSellerBalance(sandbox.db, sellerId)).toBe(own - charge.feeCents)
  },
)
