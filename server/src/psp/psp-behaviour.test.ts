import { randomUUID } from "node:crypto"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest"
import { openApiPixTestBank } from "../../test-support/api-pix-test-bank.ts"
import type { TestBank } from "../../test-support/test-bank.ts"
import { openWooviTestBank } from "../../test-support/woovi-test-bank.ts"
import type { PspPayouts, PspRefundRequest } from "./psp.ts"

// The contract of every provider, whatever its API: the domain relies on each of these.
describe.each([
  ["API Pix", openApiPixTestBank],
  ["Woovi", openWooviTestBank],
])("%s", (_name, openBank) => {
  let bank: TestBank

  beforeAll(async () => {
    bank = await openBank()
  })

  afterEach(async () => {
    await bank.behaveWell()
  })

  afterAll(async () => {
    await bank.close()
  })

  const newTxid = () => randomUUID().replaceAll("-", "")
  const charge = (changes: object = {}) => ({
    txid: newTxid(),
    amountCents: 12_345 as Cents,
    expiresInSeconds: 3_600,
    description: "Curso de açaí, 1ª turma",
    ...changes,
  })
  const payout = (changes: object = {}) => ({
    payoutId: newTxid(),
    pixKey: { kind: "email", key: "ana@loja.example" } as const,
    amountCents: 1_234 as Cents,
    description: "Saque",
    ...changes,
  })
  const payouts = (): PspPayouts => bank.psp.payouts ?? expect.unreachable("no payouts")

  async function paidCharge() {
    const request = charge()
    const { pixCode } = await bank.psp.createCharge(request)
    const endToEndId = await bank.pay(request.txid, pixCode)
    return { ...request, endToEndId }
  }

  const refundOf = (endToEndId: string, changes: object = {}): PspRefundRequest => ({
    endToEndId,
    pspRefundId: newTxid(),
    amountCents: 345 as Cents,
    description: "",
    ...changes,
  })
  const ended = <T extends { state: string } | null>(ask: () => Promise<T>) =>
    vi.waitFor(
      async () => {
        const answer = await ask()
        expect(answer?.state).toMatch(/completed|refused/)
        return answer
      },
      { timeout: 15_000 },
    )

  test("a charge is made once, however often it is asked for", async () => {
    const request = charge()
    const answers = await Promise.all([bank.psp.createCharge(request), bank.psp.createCharge(request)])
    answers.push(await bank.psp.createCharge(request))
    expect(new Set(answers.map(({ pixCode }) => pixCode)).size).toBe(1)
  })

  test("a charge that exists with another amount is refused, not shown", async () => {
    const request = charge()
    await bank.psp.createCharge(request)
    const other = { ...request, amountCents: 1 as Cents }
    await expect(bank.psp.createCharge(other)).rejects.toMatchObject({ name: "PspError", failure: "rejected" })
  })

  test("a charge whose making was never answered is there when it is asked for again", async () => {
    const request = charge()
    await bank.loseAnswers()
    await expect(bank.psp.createCharge(request)).rejects.toMatchObject({ failure: "unknown" })
    await bank.behaveWell()
    const { pixCode } = await bank.psp.createCharge(request)
    await bank.pay(request.txid, pixCode)
    expect(await bank.psp.findReceiptsOfCharge(request.txid)).toHaveLength(1)
  })

  test("removing ends a charge, repeatably, and reports one that never existed", async () => {
    const { txid } = charge()
    expect(await bank.psp.removeCharge(txid)).toBe("absent")
    await bank.psp.createCharge(charge({ txid }))
    expect(await bank.psp.removeCharge(txid)).toBe("removed")
    expect(["removed", "absent"]).toContain(await bank.psp.removeCharge(txid))
    expect(await bank.psp.findReceiptsOfCharge(txid)).toEqual([])
  })

  test("a charge that was paid can't be removed, and its receipt is found by txid, by id and by window", async () => {
    const from = new Date(Date.now() - 60_000)
    const { txid, endToEndId } = await paidCharge()
    expect(await bank.psp.removeCharge(txid)).toBe("paid")
    const receipt = await bank.psp.findReceipt(endToEndId)
    expect(receipt).toEqual({
      provider: bank.psp.name,
      endToEndId,
      txid,
      amountCents: 12_345,
      paidAt: expect.any(Date),
      refunds: [],
      // A provider that has charges with a due day says of what the amount is made.
      ...(receipt?.parts && {
        parts: { originalCents: receipt.amountCents, discountCents: 0, fineCents: 0, interestCents: 0 },
      }),
    })
    expect(await bank.psp.findReceiptsOfCharge(txid)).toEqual([receipt])
    const pages = await Array.fromAsync(bank.psp.listReceipts({ from, to: new Date(Date.now() + 60_000) }))
    expect(pages.flat().filter((each) => each.endToEndId === endToEndId)).toEqual([receipt])
  })

  test("unknown ids are not found", async () => {
    const [name] = [refundOf("E99999999202611210000nobodyknows")]
    expect(await bank.psp.findReceipt(name.endToEndId)).toBeNull()
    expect(await bank.psp.findReceiptsOfCharge(newTxid())).toEqual([])
    expect(await bank.psp.findRefund(name)).toBeNull()
    expect(await payouts().find(newTxid())).toBeNull()
    const past = { from: new Date("2020-01-01T00:00:00Z"), to: new Date("2020-01-01T12:00:00Z") }
    expect((await Array.fromAsync(bank.psp.listReceipts(past))).flat()).toEqual([])
  })

  test("a payout is paid once under its id, however often it is sent, also at once", async () => {
    const request = payout()
    const sent = await Promise.allSettled([payouts().send(request), payouts().send(request)])
    expect(sent.map(({ status }) => status)).toContain("fulfilled")
    const paid = await ended(() => payouts().find(request.payoutId))
    expect(paid).toMatchObject({ state: "completed", amountCents: 1_234, endToEndId: expect.stringMatching(/^E/) })
    expect(await payouts().send(request)).toMatchObject({ state: "completed", endToEndId: paid?.endToEndId })
    expect(await bank.countPayouts(request.payoutId)).toBe(1)
  })

  test("what was sent is listed by when it was asked for", async () => {
    const from = new Date(Date.now() - 60_000)
    const request = payout()
    await payouts().send(request)
    const paid = await ended(() => payouts().find(request.payoutId))
    const pages = await Array.fromAsync(payouts().list({ from, to: new Date(Date.now() + 60_000) }))
    const listed = pages.flat().filter(({ payoutId }) => payoutId === request.payoutId)
    expect(listed).toEqual([{ ...paid, payoutId: request.payoutId, requestedAt: expect.any(Date) }])
    expect(paid?.settledAt).toBeInstanceOf(Date)
    const past = { from: new Date("2020-01-01T00:00:00Z"), to: new Date("2020-01-01T12:00:00Z") }
    expect((await Array.fromAsync(payouts().list(past))).flat()).toEqual([])
  })

  test("a payout whose sending was never answered goes on under the same id, and is paid once", async () => {
    const request = payout()
    await bank.loseAnswers()
    await expect(payouts().send(request)).rejects.toMatchObject({ failure: "unknown" })
    await bank.behaveWell()
    const paid = await ended(async () => (await payouts().find(request.payoutId)) ?? (await payouts().send(request)))
    expect(paid).toMatchObject({ state: "completed", amountCents: 1_234 })
    expect(await bank.countPayouts(request.payoutId)).toBe(1)
  })

  test("a payout that never reached the bank is unknown, and then found nowhere", async () => {
    const request = payout()
    await bank.loseRequests()
    await expect(payouts().send(request)).rejects.toMatchObject({ name: "PspError" })
    await bank.behaveWell()
    expect(await payouts().find(request.payoutId)).toBeNull()
  })

  test("a payout that the bank refuses for good says so, and stays refused", async () => {
    const request = payout()
    await bank.refuseMoneyOut()
    const refused = await ended(async () => (await payouts().find(request.payoutId)) ?? (await payouts().send(request)))
    expect(refused).toMatchObject({ state: "refused" })
    await bank.behaveWell()
    expect((await payouts().find(request.payoutId))?.state ?? "refused").toBe("refused")
  })

  test("a refund is paid once under its id, and its receipt includes it", async () => {
    const { endToEndId, txid } = await paidCharge()
    const request = refundOf(endToEndId)
    const requested = await Promise.all([bank.psp.requestRefund(request), bank.psp.requestRefund(request)])
    expect(new Set(requested.map(({ pspRefundId }) => pspRefundId))).toEqual(new Set([request.pspRefundId]))
    const refund = await ended(() => bank.psp.findRefund(request))
    expect(refund).toMatchObject({ state: "completed", amountCents: 345, returnId: expect.stringMatching(/^D/) })
    expect(await bank.psp.requestRefund(request)).toMatchObject({ state: "completed", returnId: refund?.returnId })
    for (const found of [await bank.psp.findReceipt(endToEndId), ...(await bank.psp.findReceiptsOfCharge(txid))]) {
      expect(found?.refunds).toEqual([refund])
    }
  })

  test("a refund whose asking was never answered goes on under the same id, and goes back once", async () => {
    const { endToEndId } = await paidCharge()
    const request = refundOf(endToEndId)
    await bank.loseAnswers()
    await expect(bank.psp.requestRefund(request)).rejects.toMatchObject({ failure: "unknown" })
    await bank.behaveWell()
    await ended(async () => (await bank.psp.findRefund(request)) ?? (await bank.psp.requestRefund(request)))
    expect((await bank.psp.findReceipt(endToEndId))?.refunds).toHaveLength(1)
  })

  test("more than was paid never goes back", async () => {
    const { endToEndId } = await paidCharge()
    const refused = await bank.psp.requestRefund(refundOf(endToEndId, { amountCents: 12_346 }))
    expect(refused).toMatchObject({ state: "refused", reason: expect.stringMatching(/\S/) })
    expect((await bank.psp.findReceipt(endToEndId))?.refunds).toEqual([])
  })

  test("a refund by the bank is listed with its amount", async () => {
    const from = new Date(Date.now() - 60_000)
    const { endToEndId } = await paidCharge()
    await bank.takeBack(endToEndId, 5_000)
    const window = { from, to: new Date(Date.now() + 60_000) }
    const list = bank.psp.listRefundedReceipts ?? bank.psp.listReceipts
    const found = await vi.waitFor(
      async () => {
        const listed = (await Array.fromAsync(list(window))).flat()
        const receipt = listed.findLast((each) => each.endToEndId === endToEndId)
        expect(receipt?.refunds.map(({ state }) => state)).toEqual(["completed"])
        return receipt
      },
      { timeout: 15_000 },
    )
    expect(found?.refunds).toMatchObject([{ amountCents: 5_000 }])
    expect(found?.refunds[0]?.pspRefundId).toMatch(/^[!-~]{1,64}$/)
  })

  test("a webhook about a payment names what to query; invalid JSON reports nothing", async () => {
    const { endToEndId } = await paidCharge()
    const webhook = bank.webhookOf(endToEndId)
    expect(bank.psp.isGenuine(webhook)).toBe(true)
    expect(bank.psp.eventsReportedBy(webhook.body)).toMatchObject([
      { kind: "receipt", endToEndId, reportsRefunds: false },
    ])
    expect(bank.psp.eventsReportedBy(webhook.body.subarray(0, -1))).toBeNull()
    expect(bank.psp.eventsReportedBy(Buffer.from("null"))).toBeNull()
  })

  test("registering the webhook again leaves one of each", async () => {
    await bank.psp.registerWebhook("https://loja.example/webhooks/x/segredo")
    const after = await bank.listWebhookUrls()
    await bank.psp.registerWebhook("https://loja.example/webhooks/x/segredo")
    expect(await bank.listWebhookUrls()).toEqual(after)
    expect(after.length).toBeGreaterThan(0)
  })

  test("a bank that is down decides nothing", async () => {
    await bank.loseRequests()
    const failure = { name: "PspError", failure: expect.stringMatching(/unknown|unavailable/) }
    const { txid } = charge()
    const calls = [
      () => bank.psp.createCharge(charge()),
      () => bank.psp.removeCharge(txid),
      () => bank.psp.findReceiptsOfCharge(txid),
      () => bank.psp.findReceipt("E1"),
      () => Array.fromAsync(bank.psp.listReceipts({ from: new Date(0), to: new Date(1) })),
      () => bank.psp.registerWebhook("https://loja.example"),
      () => payouts().send(payout()),
      () => payouts().find(txid),
      () => Array.fromAsync(payouts().list({ from: new Date(0), to: new Date(1) })),
      () => bank.psp.requestRefund(refundOf("E1")),
      () => bank.psp.findRefund(refundOf("E1")),
    ]
    for (const call of calls) await expect(call()).rejects.toMatchObject(failure)
  })
})
