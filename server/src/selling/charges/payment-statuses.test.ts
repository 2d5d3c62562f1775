import { setImmediate as nextTurn } from "node:timers/promises"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, expect, test } from "vitest"
import { createPool } from "#db/pools"
import { createDb } from "#db/transaction"
import { createEvents } from "#events/events"
import { secondsAfter } from "#kit/clock"
import { newId } from "#kit/ids"
import { createLog } from "#kit/log"
import { bookPayments } from "#money/payments/book"
import { requestRefund } from "#money/refunds/request"
import { settleRefunds } from "#money/refunds/settle"
import { cancelChargePage, changeAccount, deleteChargePage, updateChargePage } from "#selling/closings/closings"
import { asOwner } from "../../../test-support/as-owner.ts"
import { bookReceipt } from "../../../test-support/paid-charges.ts"
import { createAdmin, createPage, createSeller, openSandbox, receiptOf } from "../../../test-support/sandbox.ts"
import { createCharge } from "./create.ts"
import { expireCharges } from "./end.ts"
import { getPaymentStatus } from "./find.ts"
import type { OpenCharge } from "./rules.ts"
import { createPaymentStatuses, type PaymentStatuses } from "./statuses.ts"

const sandbox = await openSandbox()
const elsewhere = createPool({ url: sandbox.url, max: 4, applicationName: "tilinta-test", connectionMs: 60_000 })
const nodes: PaymentStatuses[] = [sandbox.paymentStatuses, createPaymentStatuses(createDb(elsewhere))]
const events = createEvents({ url: sandbox.url, log: createLog("silent") })
const admin: { id: string; address: null } = { id: await createAdmin(sandbox), address: null }

afterAll(async () => {
  await events.stop()
  await elsewhere.end()
  await sandbox.close()
})

const clockIn = (seconds: number) => ({ now: () => secondsAfter(new Date(), seconds) })

async function newCharge(maxPayments: number | null = null): Promise<OpenCharge> {
  const page = await createPage(sandbox, { sellerId: await createSeller(sandbox), maxPayments })
  return chargeOn(page.id)
}

const chargeOn = (pageId: string) => createCharge(sandbox, { pageId, customerInfo: null, idempotencyKey: null })
const book = (charge: OpenCharge) => bookPayments(sandbox, [receiptOf(charge.txid, charge.amountCents)])

function statusesOf({ id }: { id: string }, clock = clockIn(0)): Promise<string[]> {
  return Promise.all(nodes.map((paymentStatuses) => getPaymentStatus({ paymentStatuses, clock }, id)))
}

/** The number of connections taken for the work. */
async function takenFor(work: () => Promise<unknown>): Promise<number> {
  let taken = 0
  const count = () => {
    taken += 1
  }
  elsewhere.on("acquire", count)
  await work().finally(() => elsewhere.off("acquire", count))
  return taken
}

/** Every change of what a payer reads, with the expected word. */
const changes: Record<string, { change(charge: OpenCharge): Promise<unknown>; reads: string }> = {
  "a payment": { change: book, reads: "pago" },
  "the last payment of a page, for its other codes": {
    async change({ pageId, sellerId }) {
      await updateChargePage(sandbox, { id: pageId, sellerId, changes: { maxPayments: 1 } })
      await book(await chargeOn(pageId))
    },
    reads: "cancelado",
  },
  "the seller who cancels the page": {
    change: ({ pageId, sellerId }) => cancelChargePage(sandbox, { id: pageId, sellerId }),
    reads: "cancelado",
  },
  "the seller who deletes the page": {
    change: ({ pageId, sellerId }) => deleteChargePage(sandbox, { id: pageId, sellerId }),
    reads: "cancelado",
  },
  "the seller who asks for another amount": {
    change: ({ pageId, sellerId }) =>
      updateChargePage(sandbox, { id: pageId, sellerId, changes: { amountCents: 5_000 as Cents } }),
    reads: "cancelado",
  },
  "an account that is closed": {
    change: ({ sellerId }) =>
      changeAccount(
        { ...sandbox, onRecovery: async () => undefined },
        { id: sellerId, admin, changes: { active: false } },
      ),
    reads: "cancelado",
  },
  "the job that ends what is over": {
    async change({ id }) {
      await asOwner(sandbox, `update charges set expires_at = now() - interval '1 minute' where id = '${id}'`)
      await expireCharges(sandbox)
    },
    reads: "expirado",
  },
}

test.for(Object.entries(changes))(
  "%s is read at once on every node, and open streams are notified",
  async ([, { change, reads }]) => {
    const charge = await newCharge()
    expect(await statusesOf(charge)).toEqual(["pendente", "pendente"])
    let reported = 0
    const stop = events.onCharge(charge.id, () => {
      reported += 1
    })
    await change(charge)
    expect(await statusesOf(charge)).toEqual([reads, reads])
    await expect.poll(() => reported).toBeGreaterThan(0)
    stop()
  },
)

test("statuses are right after plain SQL, by the clock alone, with late money and with a refund", async () => {
  const charge = await newCharge()
  const set = (text: string) => asOwner(sandbox, `update charges set ${text} where id = '${charge.id}'`)
  expect(await statusesOf(charge)).toEqual(["pendente", "pendente"])
  expect(await statusesOf(charge, clockIn(25 * 3_600))).toEqual(["expirado", "expirado"])
  expect(await statusesOf(charge)).toEqual(["pendente", "pendente"])
  await set("expires_at = now() - interval '1 minute'")
  expect(await statusesOf(charge)).toEqual(["expirado", "expirado"])
  await set("expires_at = now() + interval '1 minute'")
  expect(await statusesOf(charge)).toEqual(["pendente", "pendente"])
  await set("status = 'cancelled'")
  expect(await statusesOf(charge)).toEqual(["cancelado", "cancelado"])

  const { body } = await sandbox.pay(charge.pixCode)
  await bookReceipt(sandbox, String(body["endToEndId"]))
  expect(await statusesOf(charge)).toEqual(["pago", "pago"])
  const order = { chargeId: charge.id, origin: "seller", amountCents: null, reason: "", idempotencyKey: null } as const
  await requestRefund(sandbox, { ...order, actor: { id: charge.sellerId, address: null } })
  await settleRefunds({ ...sandbox, clock: clockIn(60) })
  expect(await statusesOf(charge)).toEqual(["pago", "pago"])
})

test("no status read after a commit is older than it, under constant load on both nodes", async () => {
  const page = await createPage(sandbox, { sellerId: await createSeller(sandbox), maxPayments: null })
  const charges = await Promise.all(Array.from({ length: 12 }, () => chargeOn(page.id)))
  let isOver = false
  /** Once any node has answered paid, every node must. */
  const seen = new Set<string>()
  const stale: string[] = []
  async function askWithoutEnd(paymentStatuses: PaymentStatuses): Promise<void> {
    while (!isOver) {
      // Cached answers resolve without a turn of the event loop, so without this nothing else would run.
      await nextTurn()
      for (const { id } of charges) {
        const mustBePaid = seen.has(id)
        const status = await getPaymentStatus({ paymentStatuses, clock: clockIn(0) }, id)
        if (status === "pago") seen.add(id)
        else if (mustBePaid) stale.push(id)
      }
    }
  }
  const asking = [...nodes, ...nodes].map(askWithoutEnd)
  for (const charge of charges) {
    await book(charge)
    expect(await statusesOf(charge)).toEqual(["pago", "pago"])
    seen.add(charge.id)
  }
  isOver = true
  await Promise.all(asking)
  expect(stale).toEqual([])
})

test("concurrent callers share one query, and paid charges need none", async () => {
  const charge = await newCharge()
  const ask = () => getPaymentStatus({ paymentStatuses: nodes[1] as PaymentStatuses, clock: clockIn(0) }, charge.id)
  const all = () => Promise.all(Array.from({ length: 300 }, ask))
  expect(await takenFor(async () => expect(new Set(await all())).toEqual(new Set(["pendente"])))).toBe(1)
  await book(charge)
  expect(await ask()).toBe("pago")
  expect(await takenFor(async () => expect(new Set(await all())).toEqual(new Set(["pago"])))).toBe(0)
})

test("an unknown charge stays unknown until it exists", async () => {
  const charge = await newCharge()
  const unknown = { id: newId() }
  await expect(statusesOf(unknown)).rejects.toMatchObject({ code: "payment_not_found" })
  await expect(statusesOf(unknown)).rejects.toMatchObject({ code: "payment_not_found" })
  expect(await statusesOf(charge)).toEqual(["pendente", "pendente"])
})

test("an unreachable database fails all concurrent callers, and paid charges are still answered", async () => {
  const charge = await newCharge()
  const open = await newCharge()
  await book(charge)
  const pool = createPool({ url: sandbox.url, max: 1, applicationName: "tilinta-test" })
  const deps = { paymentStatuses: createPaymentStatuses(createDb(pool)), clock: clockIn(0) }
  expect(await getPaymentStatus(deps, charge.id)).toBe("pago")
  await pool.end()
  const answers = await Promise.allSettled(Array.from({ length: 50 }, () => getPaymentStatus(deps, open.id)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(["rejected"]))
  expect(await getPaymentStatus(deps, charge.id)).toBe("pago")
})
