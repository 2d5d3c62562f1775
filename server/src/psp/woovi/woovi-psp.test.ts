import { randomUUID } from "node:crypto"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterEach, beforeEach, expect, test } from "vitest"
import { openWooviBank, type WooviBank } from "../../../test-support/woovi-bank.ts"
import { aliasTypes } from "./woovi-payouts.ts"

let bank: WooviBank

beforeEach(async () => {
  bank = await openWooviBank()
})

afterEach(async () => {
  await bank.close()
})

const newId = () => randomUUID().replaceAll("-", "")
const charge = { txid: newId(), amountCents: 10_000 as Cents, expiresInSeconds: 3_600, description: "Curso" }
const pixKey = { kind: "phone", key: "+5511987654321" } as const
const payout = { payoutId: newId(), pixKey, amountCents: 1_234 as Cents, description: "Saque" }
const send = (changes: object = {}) => bank.psp.payouts?.send({ ...payout, ...changes })
const find = () => bank.psp.payouts?.find(payout.payoutId)
const unknown = { name: "PspError", failure: "unknown" }
const day = { from: new Date("2026-11-20T12:00:00Z"), to: new Date("2026-11-21T12:00:00Z") }

test("a charge carries our txid, whole cents, and never less than the shortest life that Woovi gives one", async () => {
  await bank.psp.createCharge({ ...charge, expiresInSeconds: 60, description: "é".repeat(200) })
  expect(bank.charges.get(charge.txid)).toMatchObject({
    correlationID: charge.txid,
    value: 10_000,
    expiresIn: 900,
    comment: "é".repeat(140),
  })
})

test("a charge that has ended at Woovi is refused when it is asked for again, and counts as removed", async () => {
  await bank.psp.createCharge(charge)
  Object.assign(bank.charges.get(charge.txid) ?? {}, { status: "EXPIRED" })
  await expect(bank.psp.createCharge(charge)).rejects.toMatchObject({ failure: "rejected" })
  expect(await bank.psp.removeCharge(charge.txid)).toBe("removed")
})

test("a paid charge is not even tried to be deleted", async () => {
  await bank.psp.createCharge(charge)
  bank.receive(charge.txid, 10_000)
  expect(await bank.psp.removeCharge(charge.txid)).toBe("paid")
  expect(bank.calls.filter((call) => call.startsWith("DELETE"))).toEqual([])
})

test.each(Object.entries(aliasTypes))("a key of kind %s is sent as %s", async (kind, type) => {
  await send({ pixKey: { kind, key: "key" } })
  expect(bank.payments.get(payout.payoutId)).toMatchObject({ destinationAlias: "key", destinationAliasType: type })
})

test("a payout that was only created counts as never taken, and sending it again approves it", async () => {
  await send()
  Object.assign(bank.payments.get(payout.payoutId) ?? {}, { status: "CREATED", endToEndId: null })
  expect(await find()).toBeNull()
  expect(await send()).toMatchObject({ state: "under-way", endToEndId: expect.stringMatching(/^E/) })
  expect(bank.payments.size).toBe(1)
})

test("a payment of another amount under our id is never approved", async () => {
  await send()
  Object.assign(bank.payments.get(payout.payoutId) ?? {}, { status: "CREATED", value: 99_999 })
  await expect(send()).rejects.toMatchObject(unknown)
  expect(bank.payments.get(payout.payoutId)?.status).toBe("CREATED")
})

test("too little at Woovi is no end: the payout waits, and goes out when there is enough", async () => {
  bank.account.balanceCents = 0
  await expect(send()).rejects.toMatchObject(unknown)
  expect(await find()).toBeNull()
  bank.account.balanceCents = 1_234
  expect(await send()).toMatchObject({ state: "under-way" })
  await find()
  expect(await find()).toMatchObject({ state: "completed", amountCents: 1_234 })
})

test("an unregistered key is refused definitively, with Woovi's words", async () => {
  const refused = await send({ pixKey: { kind: "email", key: "nobody@nowhere.example" } })
  expect(refused).toEqual({
    state: "refused",
    amountCents: null,
    endToEndId: null,
    reason: "Chave pix não encontrada",
    settledAt: null,
  })
})

test.each([
  ["CONFIRMED", "completed"],
  ["FAILED", "refused"],
  ["REJECTED", "refused"],
  ["APPROVED", "under-way"],
  ["DENIED", "under-way"],
  ["ALGO_NOVO", "under-way"],
])("a payment that is %s is %s", async (status, state) => {
  await send()
  Object.assign(bank.payments.get(payout.payoutId) ?? {}, { status })
  expect(await find()).toMatchObject({ state })
})

test.each([
  { status: 400, body: "<html>Bad Request</html>" },
  { status: 404, body: "" },
  { status: 409, body: "{}" },
  { status: 401, body: '{"error":"appID inválido"}' },
  { status: 403, body: '{"error":"sem permissão"}' },
  { status: 500, body: '{"error":"erro"}' },
  { status: 200, body: "não" },
  { status: 200, body: '{"payment":{"correlationID":"outro","status":"FAILED"},"refund":{},"charge":{}}' },
])("%j is no outcome: it settles neither a payout nor a refund nor a charge", async (answer) => {
  bank.standBefore(answer)
  const name = { endToEndId: "E1", pspRefundId: newId() }
  await expect(send()).rejects.toMatchObject(unknown)
  await expect(find()).rejects.toMatchObject(unknown)
  await expect(bank.psp.requestRefund({ ...name, amountCents: 1 as Cents, description: "" })).rejects.toMatchObject(
    unknown,
  )
  await expect(bank.psp.findRefund(name)).rejects.toMatchObject(unknown)
  await expect(bank.psp.createCharge(charge)).rejects.toMatchObject(unknown)
  await expect(bank.psp.removeCharge(charge.txid)).rejects.toMatchObject(unknown)
  await expect(bank.psp.findReceipt("E1")).rejects.toMatchObject(unknown)
  await expect(Array.fromAsync(bank.psp.listReceipts(day))).rejects.toMatchObject(unknown)
})

test("a no to an id in use that isn't shown is no end", async () => {
  bank.standBefore({ status: 400, body: '{"error":"Já existe um pagamento com o correlationID fornecido"}' })
  await expect(send()).rejects.toMatchObject(unknown)
  const refund = { endToEndId: "E1", pspRefundId: newId(), amountCents: 1 as Cents, description: "" }
  await expect(bank.psp.requestRefund(refund)).rejects.toMatchObject(unknown)
})

test.each(["REFUNDED", "CONFIRMED", "NOT_ACCOMPLISHED", "REJECTED", "IN_PROCESSING", "ALGO_NOVO"])(
  "a refund that is %s is no more than that",
  async (status) => {
    const name = { endToEndId: bank.receive(null, 500), pspRefundId: newId() }
    await bank.psp.requestRefund({ ...name, amountCents: 500 as Cents, description: "" })
    Object.assign(bank.refunds[0] ?? {}, { status })
    const ends: Record<string, string> = {
      REFUNDED: "completed",
      CONFIRMED: "completed",
      NOT_ACCOMPLISHED: "refused",
      REJECTED: "refused",
    }
    expect(await bank.psp.findRefund(name)).toMatchObject({ state: ends[status] ?? "under-way" })
  },
)

test("a refund that Woovi has no money for is refused, and leaves nothing behind", async () => {
  bank.account.refusesRefunds = true
  const request = { endToEndId: bank.receive(null, 500), pspRefundId: newId(), description: "" }
  const refused = await bank.psp.requestRefund({ ...request, amountCents: 500 as Cents })
  expect(refused).toMatchObject({ state: "refused", reason: "Saldo insuficiente para realizar o reembolso" })
  expect(bank.refunds).toEqual([])
})

// An item on the border of two parts may be listed twice, and must be booked once.
test("a long window is asked for in parts, each page by page, oldest first, none left out", async () => {
  const minutes = [...Array.from({ length: 250 }, (_, index) => index), 360, 720, 721, 1_440]
  const ids = minutes.map((minute) => bank.receive(null, 100, new Date(day.from.getTime() + minute * 60_000)))
  bank.receive(null, 100, new Date(day.to.getTime() + 1))
  const listed = (await Array.fromAsync(bank.psp.listReceipts(day))).flat()
  expect([...new Set(listed.map(({ endToEndId }) => endToEndId))]).toEqual(ids)
})

test("what isn't money that came in is left out, and what can't be read hides no other", async () => {
  const good = bank.receive(null, 100, day.from)
  bank.receive(null, 0, day.from)
  const [first] = bank.transactions
  for (const change of [
    { type: "WITHDRAW" },
    { type: "FEE", endToEndId: null },
    { status: "PENDING" },
    { time: "ontem" },
    { value: "1e2" },
    { endToEndId: "" },
  ]) {
    bank.transactions.push({ ...first, value: 100, ...change } as never)
  }
  bank.transactions.push(null as never)
  const listed = (await Array.fromAsync(bank.psp.listReceipts(day))).flat()
  expect(listed.map(({ endToEndId }) => endToEndId)).toEqual([good])
})

test("a payment whose charge can't be read, or isn't ours, is still money", async () => {
  const id = bank.receive(null, 100, day.from)
  const [paid] = bank.transactions
  for (const foreign of ["603f81fcc6bccc24326ffb43", { correlationID: "x".repeat(200) }, { correlationID: 7 }]) {
    Object.assign(paid ?? {}, { charge: foreign })
    expect(await bank.psp.findReceipt(id)).toMatchObject({ endToEndId: id, txid: null, amountCents: 100 })
  }
})

test("a filter by charge that Woovi ignores shows no other charge's money", async () => {
  await bank.psp.createCharge(charge)
  const other = { ...charge, txid: newId() }
  await bank.psp.createCharge(other)
  bank.receive(other.txid, 10_000)
  bank.ignoreFilters()
  expect(await bank.psp.findReceiptsOfCharge(charge.txid)).toEqual([])
})

// Woovi lists refunds by charge. Attached to the wrong payment, our own would be booked again as the bank's.
test("refunds of a charge that was paid twice hang on neither payment", async () => {
  await bank.psp.createCharge(charge)
  const [first, second] = [bank.receive(charge.txid, 10_000), bank.receive(charge.txid, 10_000)]
  const request = { endToEndId: second, pspRefundId: newId(), amountCents: 10_000 as Cents, description: "" }
  await bank.psp.requestRefund(request)
  expect((await bank.psp.findReceiptsOfCharge(charge.txid)).map(({ refunds }) => refunds)).toEqual([[], []])
  expect(await bank.psp.findReceipt(first)).toMatchObject({ refunds: [] })
  await bank.psp.findRefund(request)
  expect(await bank.psp.findRefund(request)).toMatchObject({ state: "completed", amountCents: 10_000 })
})

test("a Woovi that keeps failing is left alone: calls fail at once, as undone", async () => {
  bank.standBefore({ status: 502, body: "<html>" })
  const failureOf = () => bank.psp.findReceipt("E1").catch((error: { failure: string }) => error.failure)
  for (let call = 0; call < 8; call++) expect(await failureOf()).toBe("unknown")
  for (let call = 0; call < 5; call++) expect(await failureOf()).toBe("unavailable")
  expect(bank.calls).toHaveLength(8)
})

test("a call answered 'too many' had no effect, and is not retried at once", async () => {
  bank.standBefore({ status: 429, body: '{"error":"muitas requisições"}' })
  const ask = () => bank.psp.createCharge(charge)
  for (let call = 0; call < 3; call++) await expect(ask()).rejects.toMatchObject({ failure: "unavailable" })
  expect(bank.calls).toHaveLength(1)
})
