import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, beforeEach, expect, test } from "vitest"
import { reconcileReceipts } from "#bank/reconciliation/reconcile"
import { verifyLedger } from "#ledger/reads"
import { readSellerBalance, readSellerBlocked } from "#money/payments/reads"
import { findPaymentDifferences } from "#money/payments/verify-reads"
import { approveWithdrawal } from "#money/withdrawals/decide"
import { sendPayouts } from "#money/withdrawals/pay"
import { requestWithdrawal } from "#money/withdrawals/request"
import { type Psp, PspError, type ReportedEvent } from "#psp/psp"
import { createCharge } from "#selling/charges/create"
import { getPaymentStatus } from "#selling/charges/find"
import { createPage, createSeller, openSandbox } from "../../../test-support/sandbox.ts"
import { contest } from "../../../test-support/test-disputes.ts"
import { noHands, processInbox, storeTestWebhook } from "../../../test-support/test-webhooks.ts"
import { createInboxWorker } from "./process.ts"
import { unpackBodies } from "./rules.ts"
import { readInboxState, webhookStore } from "./store.ts"

const sandbox = await openSandbox()

beforeEach(async () => {
  await sandbox.control({ webhooksAtivos: false, falhaApi: null, liquidacaoMs: 0 })
})

afterAll(async () => {
  expect(await verifyLedger(sandbox.db)).toEqual([])
  expect(await findPaymentDifferences(sandbox.db)).toEqual([])
  await sandbox.close()
})

async function paidCharge() {
  const sellerId = await createSeller(sandbox)
  const page = await createPage(sandbox, { sellerId })
  const charge = await createCharge(sandbox, { pageId: page.id, customerInfo: null, idempotencyKey: null })
  const { status, body } = await sandbox.pay(charge.pixCode)
  expect(status).toBe(201)
  return { charge, sellerId, endToEndId: String(body.endToEndId) }
}

async function reportToUs(body: unknown): Promise<void> {
  await storeTestWebhook(sandbox, Buffer.from(JSON.stringify(body)))
}

async function waiting(): Promise<number> {
  const rows = await sandbox.db.selectFrom("psp_inbox").select("id").where("processed_at", "is", null).execute()
  return rows.length
}

test("a webhook leads to one credit, however often it is sent, also in parallel", async () => {
  const { charge, sellerId, endToEndId } = await paidCharge()
  await Promise.all(Array.from({ length: 100 }, () => reportToUs({ pix: [{ endToEndId, txid: charge.txid }] })))
  await Promise.all([processInbox(sandbox), processInbox(sandbox), processInbox(sandbox)])
  expect(await getPaymentStatus(sandbox, charge.id)).toBe("pago")
  expect(await readSellerBalance(sandbox.db, sellerId)).toBe(8_500)
  expect(await waiting()).toBe(0)
})

test("a message is processed at once, however far ahead the database's clock is", async () => {
  const slow = { ...sandbox, clock: { now: () => new Date(Date.now() - 60_000) } }
  const { charge, endToEndId } = await paidCharge()
  await storeTestWebhook(slow, Buffer.from(JSON.stringify([{ endToEndId }])))
  await processInbox(slow)
  expect(await getPaymentStatus(sandbox, charge.id)).toBe("pago")
})

const reporting = (...events: ReportedEvent[]) => ({
  ...sandbox,
  psp: { ...sandbox.psp, eventsReportedBy: () => events },
})

test("when only the charge is reported, its payments are queried, and again while there is no answer", async () => {
  const { charge, sellerId } = await paidCharge()
  const deps = reporting({ kind: "charge", txid: charge.txid }, { kind: "charge", txid: "f".repeat(32) })
  await reportToUs({})
  await sandbox.control({ falhaApi: "indisponivel" })
  await processInbox(deps)
  expect(await waiting()).toBe(1)
  await sandbox.control({ falhaApi: null })
  await reportToUs({})
  const later = { ...deps, clock: { now: () => new Date(Date.now() + 120_000) } }
  await Promise.all([processInbox(later), processInbox(later)])
  expect(await getPaymentStatus(sandbox, charge.id)).toBe("pago")
  expect(await readSellerBalance(sandbox.db, sellerId)).toBe(8_500)
  expect(await waiting()).toBe(0)
})

test("a reported payout is settled at once, and only if it is under way", async () => {
  const { sellerId } = await paidCharge()
  await reconcileReceipts(sandbox)
  const admin = { id: await createSeller(sandbox), address: null }
  const { id, payoutId } = await requestWithdrawal(sandbox, {
    seller: { id: sellerId, address: null },
    amountCents: 1_000 as Cents,
    destination: { method: "pix", pixKey: { kind: "email", key: "ana@loja.example" } },
    idempotencyKey: null,
  })
  const deps = reporting({ kind: "payout", payoutId: payoutId ?? "" }, { kind: "payout", payoutId: "outro" })
  const statusNow = async () => {
    await reportToUs({})
    await processInbox(deps)
    const row = sandbox.db.selectFrom("withdrawals").select("status").where("id", "=", id)
    return (await row.executeTakeFirstOrThrow()).status
  }
  expect(await statusNow()).toBe("pending")
  await approveWithdrawal(sandbox, { id, admin, adminNotes: "" })
  await sandbox.control({ liquidacaoMs: 400 })
  await sendPayouts(sandbox)
  expect(await statusNow()).toBe("processing")
  await new Promise((resolve) => setTimeout(resolve, 450))
  expect(await statusNow()).toBe("completed")
  expect(await statusNow()).toBe("completed")
})

test("a reported dispute is queried, and again while there is no answer", async () => {
  const { sellerId, endToEndId } = await paidCharge()
  await reportToUs({ infracoes: [{ idInfracao: await contest(sandbox, endToEndId) }, { idInfracao: "outra" }] })
  await sandbox.control({ falhaApi: "indisponivel" })
  await processInbox(sandbox)
  expect(await waiting()).toBe(1)
  await sandbox.control({ falhaApi: null })
  const later = { ...sandbox, clock: { now: () => new Date(Date.now() + 120_000) } }
  await Promise.all([processInbox(later), processInbox(later)])
  expect(await readSellerBlocked(sandbox.db, sellerId)).toBe(8_500)
  expect(await waiting()).toBe(0)
})

test("H06: a bare array is read like the standard's body", async () => {
  const { charge, endToEndId } = await paidCharge()
  await reportToUs([{ endToEndId }])
  await processInbox(sandbox)
  expect(await getPaymentStatus(sandbox, charge.id)).toBe("pago")
})

test("H04: a forged webhook books nothing: only the bank's own word counts", async () => {
  const sellerId = await createSeller(sandbox)
  const page = await createPage(sandbox, { sellerId })
  const charge = await createCharge(sandbox, { pageId: page.id, customerInfo: null, idempotencyKey: null })
  const forged = { endToEndId: "E99999999202611211500abcdefghijk", txid: charge.txid, valor: "100.00" }
  await reportToUs({ pix: [{ ...forged, horario: new Date().toISOString() }] })
  await processInbox(sandbox)
  expect(await getPaymentStatus(sandbox, charge.id)).toBe("pendente")
  expect(await readSellerBalance(sandbox.db, sellerId)).toBe(0)
  expect(await waiting()).toBe(0)
})

test("H06: bad items never block the good ones of the same body", async () => {
  const { charge, endToEndId } = await paidCharge()
  await reportToUs({ pix: [null, 7, { endToEndId: "../../etc" }, { valor: "1" }, { endToEndId }] })
  await reportToUs("no object")
  await processInbox(sandbox)
  expect(await getPaymentStatus(sandbox, charge.id)).toBe("pago")
  expect(await waiting()).toBe(0)
})

test("H11: impossible messages are processed without a credit, and block nothing behind them", async () => {
  const { charge, sellerId, endToEndId } = await paidCharge()
  const pix = { endToEndId, txid: charge.txid, valor: "100.00", horario: new Date().toISOString() }
  const deep = Buffer.from(`{"pix":${"[".repeat(10_000)}${"]".repeat(10_000)}}`)
  await storeTestWebhook(sandbox, deep)
  await storeTestWebhook(sandbox, Buffer.from('{"pix":[{"endToEndId":"\xff"}]}', "latin1"))
  const unknown = "E99999999202611211500abcdefghijk"
  for (const valor of ["1e2", "1,00", "-5.00", "10.0", 100, null, {}]) {
    await reportToUs({ pix: [{ ...pix, endToEndId: unknown, valor }] })
  }
  await reportToUs({
    pix: [
      { ...pix, endToEndId: unknown.slice(0, 31) },
      { ...pix, endToEndId: "E".repeat(65) },
    ],
  })
  await reportToUs({ pix: [{ ...pix, endToEndId: unknown, txid: "x".repeat(36) }] })
  await processInbox(sandbox)
  expect(await waiting()).toBe(0)
  expect(await readSellerBalance(sandbox.db, sellerId)).toBe(0)

  // The bank's own answer counts, whatever the webhook claims.
  await reportToUs({ pix: [{ ...pix, valor: "9999999.99", txid: "x".repeat(36) }] })
  await processInbox(sandbox)
  expect(await readSellerBalance(sandbox.db, sellerId)).toBe(8_500)
})

test("while the bank doesn't answer the message waits, and is processed when it does", async () => {
  const { charge, endToEndId } = await paidCharge()
  await reportToUs({ pix: [{ endToEndId }] })
  await sandbox.control({ falhaApi: "indisponivel" })
  await processInbox(sandbox)
  expect(await getPaymentStatus(sandbox, charge.id)).toBe("pendente")
  expect(await waiting()).toBe(1)
  await sandbox.control({ falhaApi: null })
  await processInbox({ ...sandbox, clock: { now: () => new Date(Date.now() + 120_000) } })
  expect(await getPaymentStatus(sandbox, charge.id)).toBe("pago")
})

test("a payment without a webhook is found by reconciliation, once", async () => {
  const { charge, sellerId } = await paidCharge()
  await reconcileReceipts(sandbox)
  await Promise.all([reconcileReceipts(sandbox), reconcileReceipts(sandbox)])
  expect(await getPaymentStatus(sandbox, charge.id)).toBe("pago")
  expect(await readSellerBalance(sandbox.db, sellerId)).toBe(8_500)
})

test("webhook and reconciliation at the same instant credit once", async () => {
  const { charge, sellerId, endToEndId } = await paidCharge()
  await reportToUs({ pix: [{ endToEndId }] })
  await Promise.all([processInbox(sandbox), reconcileReceipts(sandbox), reconcileReceipts(sandbox)])
  expect(await getPaymentStatus(sandbox, charge.id)).toBe("pago")
  expect(await readSellerBalance(sandbox.db, sellerId)).toBe(8_500)
})

/** A provider that counts queries, and may refuse lists. */
function countedPsp({ listsFail = false } = {}) {
  const queried = { lists: 0, alone: [] as string[] }
  const psp: Psp = {
    ...sandbox.psp,
    listReceipts(window) {
      queried.lists += 1
      if (listsFail) throw new PspError("unknown", "cut off")
      return sandbox.psp.listReceipts(window)
    },
    findReceipt(endToEndId) {
      queried.alone.push(endToEndId)
      return sandbox.psp.findReceipt(endToEndId)
    },
  }
  return { psp, queried: queried }
}

async function paidTogether(count: number) {
  const sellerId = await createSeller(sandbox)
  const page = await createPage(sandbox, { sellerId, maxPayments: null })
  const input = { pageId: page.id, customerInfo: null, idempotencyKey: null }
  const charges = await Promise.all(Array.from({ length: count }, () => createCharge(sandbox, input)))
  const receipts = await Promise.all(
    charges.map(async ({ pixCode }) => {
      const endToEndId = String((await sandbox.pay(pixCode)).body.endToEndId)
      const receipt = await sandbox.psp.findReceipt(endToEndId)
      return { endToEndId, horario: receipt?.paidAt.toISOString() }
    }),
  )
  return { sellerId, receipts, net: 8_500 * count }
}

/** Reported at even times within the same span: a busy machine may leave a gap, and a long gap ends a list's window. */
function evenlyReported(receipts: { endToEndId: string; horario: string | undefined }[]) {
  const times = receipts.map(({ horario }) => Date.parse(horario ?? "")).toSorted((one, other) => one - other)
  const [first = 0, last = 0] = [times[0], times.at(-1)]
  const step = (last - first) / (receipts.length - 1)
  return receipts.map((receipt, at) => ({ ...receipt, horario: new Date(first + at * step).toISOString() }))
}

const unknownId = (number: number) => `E99999999202611211500${String(number).padStart(11, "0")}`

test("many are confirmed by one list; missing, misdated or refunded ones are queried singly", async () => {
  const { sellerId, receipts, net } = await paidTogether(14)
  const [late, early, mute, refunded, ...rest] = receipts
  const others = evenlyReported(rest)
  const charge = { amountCents: 1_000 as Cents, description: "" }
  await sandbox.psp.requestRefund({ endToEndId: refunded?.endToEndId ?? "", pspRefundId: "r1", ...charge })
  const { psp, queried } = countedPsp()
  const forged = { endToEndId: unknownId(1), horario: others[0]?.horario }
  await reportToUs({ pix: [...others.slice(0, 5), forged] })
  for (const each of [...others.slice(5), ...others.slice(0, 2)]) await reportToUs({ pix: [each] })
  await reportToUs([{ ...late, horario: "2031-01-01T00:00:00Z" }])
  await reportToUs([{ ...early, horario: "1999-01-01T00:00:00Z" }])
  await reportToUs([{ ...mute, horario: "ontem" }])
  await reportToUs([{ ...refunded, devolucoes: [{ id: "r1" }] }])
  await processInbox({ ...sandbox, psp })
  const alone = [forged, late, early, mute, refunded].map((each) => each?.endToEndId)
  expect([queried.lists, queried.alone.toSorted()]).toEqual([1, alone.toSorted()])
  expect(await waiting()).toBe(0)
  expect(await readSellerBalance(sandbox.db, sellerId)).toBe(net - 850)

  await Promise.all(receipts.map((receipt) => reportToUs([receipt])))
  await Promise.all([processInbox({ ...sandbox, psp }), processInbox({ ...sandbox, psp })])
  expect([queried.lists, queried.alone.length]).toEqual([1, 5])
  expect(await readSellerBalance(sandbox.db, sellerId)).toBe(net - 850)
})

test("when the list fails each is queried singly; while the bank doesn't answer all wait, and are booked later", async () => {
  const { sellerId, receipts, net } = await paidTogether(10)
  const { psp, queried } = countedPsp({ listsFail: true })
  for (const each of receipts.slice(0, 9)) await reportToUs([each])
  await processInbox({ ...sandbox, psp })
  expect([queried.lists, queried.alone.length, await waiting()]).toEqual([1, 9, 0])

  for (const each of receipts) await reportToUs([each])
  await sandbox.control({ falhaApi: "indisponivel" })
  await processInbox(sandbox)
  expect(await waiting()).toBe(1)
  await sandbox.control({ falhaApi: null })
  await processInbox({ ...sandbox, clock: { now: () => new Date(Date.now() + 120_000) } })
  expect([await waiting(), await readSellerBalance(sandbox.db, sellerId)]).toEqual([0, net])
})

test("stored messages are processed at once, without a job run or another claim", async () => {
  const { charge, endToEndId } = await paidCharge()
  const worker = createInboxWorker(sandbox)
  await webhookStore({ ...sandbox, worker })(Buffer.from(JSON.stringify([{ endToEndId }])))
  await expect.poll(() => getPaymentStatus(sandbox, charge.id)).toBe("pago")
  await expect.poll(waiting).toBe(0)
  const last = sandbox.db.selectFrom("psp_inbox").select("attempts").orderBy("id", "desc").limit(1)
  expect(await last.executeTakeFirst()).toEqual({ attempts: 1 })
  await worker.stop()
})

test("a process's claims are its own until it dies; one that stops releases them", async () => {
  const { charge, endToEndId } = await paidCharge()
  const died = { capacity: () => 1, take: () => undefined }
  const store = webhookStore({ ...sandbox, worker: died })
  const body = Buffer.from(JSON.stringify([{ endToEndId }]))
  await store(body)
  await processInbox(sandbox)
  expect([await waiting(), await getPaymentStatus(sandbox, charge.id)]).toEqual([1, "pendente"])
  await processInbox({ ...sandbox, clock: { now: () => new Date(Date.now() + 31_000) } })
  expect([await waiting(), await getPaymentStatus(sandbox, charge.id)]).toEqual([0, "pago"])

  const worker = createInboxWorker(sandbox)
  await webhookStore({ ...sandbox, worker })(body)
  await worker.stop()
  expect(worker.capacity()).toBe(0)
  await processInbox(sandbox)
  expect(await waiting()).toBe(0)
})

test("a message that always fails blocks no other, nor is it lost", async () => {
  const { charge, endToEndId } = await paidCharge()
  const poison = Buffer.from('["poison"]')
  const psp: Psp = {
    ...sandbox.psp,
    eventsReportedBy(body) {
      if (body.equals(poison)) throw new Error("poison")
      return sandbox.psp.eventsReportedBy(body)
    },
  }
  await storeTestWebhook(sandbox, poison)
  await reportToUs([{ endToEndId }])
  await expect(processInbox({ ...sandbox, psp })).rejects.toThrow("retried")
  expect([await waiting(), await getPaymentStatus(sandbox, charge.id)]).toEqual([1, "pago"])
  await processInbox({ ...sandbox, clock: { now: () => new Date(Date.now() + 31_000) } })
  expect(await waiting()).toBe(0)
})

test("messages that arrive together are one row; open ones wait in a row of their own, and the rest is done once", async () => {
  const { sellerId, receipts, net } = await paidTogether(3)
  const poison = Buffer.from('["poison"]')
  const psp: Psp = {
    ...sandbox.psp,
    eventsReportedBy(body) {
      if (body.equals(poison)) throw new Error("poison")
      return sandbox.psp.eventsReportedBy(body)
    },
  }
  const large = Buffer.from(JSON.stringify({ pix: [receipts[2]], padding: "x".repeat(300_000) }))
  const bodies = [...receipts.slice(0, 2).map((each) => Buffer.from(JSON.stringify([each]))), poison, Buffer.from("7")]
  const store = webhookStore({ ...sandbox, worker: noHands })
  async function rows() {
    const columns = ["body", "lengths", "attempts"] as const
    const inbox = sandbox.db.selectFrom("psp_inbox").select(columns).where("processed_at", "is", null)
    const kept = await inbox.orderBy("id").execute()
    return kept.map(({ body, lengths, attempts }) => ({ attempts, bodies: unpackBodies(body, lengths) }))
  }
  await Promise.all([...bodies, large].map(store))
  expect(await rows()).toEqual([
    { attempts: 0, bodies },
    { attempts: 0, bodies: [large] },
  ])
  expect(await readInboxState(sandbox.db, sandbox.psp.name)).toMatchObject({ waiting: 5 })

  await expect(processInbox({ ...sandbox, psp })).rejects.toThrow("retried")
  expect(await rows()).toEqual([{ attempts: 1, bodies: [poison] }])
  expect(await readSellerBalance(sandbox.db, sellerId)).toBe(net)
  const inAMinute = { ...sandbox, psp, clock: { now: () => new Date(Date.now() + 61_000) } }
  await expect(processInbox(inAMinute)).rejects.toThrow("retried")
  expect(await rows()).toEqual([{ attempts: 2, bodies: [poison] }])
  await processInbox({ ...sandbox, clock: { now: () => new Date(Date.now() + 121_000) } })
  expect([await waiting(), await readSellerBalance(sandbox.db, sellerId)]).toEqual([0, net])
})
