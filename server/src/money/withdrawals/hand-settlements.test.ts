import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { type Clock, secondsAfter } from "#kit/clock"
import { payoutsUnderWay, pspClearing, refundsUnderWay } from "#ledger/accounts"
import { readBalance } from "#ledger/reads"
import { requestRefund } from "#money/refunds/request"
import { settleRefunds } from "#money/refunds/settle"
import { deliverMails } from "../../../test-support/mail-delivery.ts"
import { endToEndId, muteBank, notPaid, paid } from "../../../test-support/mute-bank.ts"
import { openPayoutDesk, type PayoutDesk } from "../../../test-support/payout-desk.ts"
import { createAdmin, type Sandbox } from "../../../test-support/sandbox.ts"
import { settleRefundByHand, settleWithdrawalByHand } from "./hand-settlements.ts"
import { sendPayouts, settlePayouts } from "./pay.ts"

let desk: PayoutDesk
let sandbox: Sandbox
let chief: string
let deputy: string
let sellerId: string

beforeEach(async () => {
  desk = await openPayoutDesk()
  sandbox = desk.sandbox
  chief = desk.adminId
  deputy = await createAdmin(sandbox)
  sellerId = desk.sellerId
})

afterEach(() => desk.close())

const later = (seconds: number): Clock => ({ now: () => secondsAfter(new Date(), seconds) })
const day = 86_400 + 60

const mute = (): Sandbox => ({ ...sandbox, psp: muteBank(sandbox.psp) })

/** 30.00 of the 85.00 are handed to a bank that never answers. */
async function unanswered(): Promise<string> {
  const id = await desk.approved(3_000)
  await sendPayouts(mute())
  return id
}

type Word = typeof paid | typeof notPaid

function settle(id: string, by: string, word: Word, seconds = day) {
  return settleWithdrawalByHand(
    { ...sandbox, clock: later(seconds) },
    { id, admin: { id: by, address: null }, ...word },
  )
}

async function stateOf(id: string) {
  const { status } = await desk.rowOf(id)
  return [status, await desk.balance(), await readBalance(sandbox.db, payoutsUnderWay("simulator"))]
}

const early = { code: "not_settleable_by_hand" }

describe("a payout", () => {
  test("two admins who say that it was paid complete it, with the endToEndId and both in the audit", async () => {
    const id = await unanswered()
    await expect(settle(id, chief, paid, 80_000)).rejects.toMatchObject(early)
    expect(await settle(id, chief, paid)).toMatchObject({ waitsFor: "second_admin" })
    expect(await settle(id, chief, paid)).toMatchObject({ waitsFor: "second_admin" })
    expect(await stateOf(id)).toEqual(["processing", 5_500, 3_000])
    expect(await settle(id, deputy, paid)).toMatchObject({
      waitsFor: null,
      withdrawal: { status: "completed", endToEndId },
    })
    expect(await stateOf(id)).toEqual(["completed", 5_500, 0])
    const audit = sandbox.db.selectFrom("audit_records").select("actor_id").where("entity_id", "=", id)
    expect(await audit.where("action", "=", "withdrawal.settled_by_hand").orderBy("id").execute()).toEqual(
      [chief, chief, deputy].map((actor_id) => ({ actor_id })),
    )
  })

  test("that was not paid gives the money back once, and is never sent afterwards", async () => {
    const id = await unanswered()
    await settle(id, chief, notPaid)
    await settlePayouts({ ...sandbox, clock: later(day + 300) })
    expect(await stateOf(id)).toEqual(["processing", 5_500, 3_000])
    await settle(id, deputy, notPaid, day + 600)
    expect(await stateOf(id)).toEqual(["rejected", 8_500, 0])
    await expect(settle(id, chief, paid, day + 700)).rejects.toMatchObject(early)
    await settlePayouts({ ...sandbox, clock: later(day + 900) })
    expect(await stateOf(id)).toEqual(["rejected", 8_500, 0])
    const answer = await fetch(`${sandbox.simulatorUrl}/simulador/api/envios`)
    expect(await answer.json()).toMatchObject({ envios: [] })
  })

  test("two who say different things settle nothing; where only one may decide, one is enough", async () => {
    const id = await unanswered()
    await settle(id, chief, paid)
    expect(await settle(id, deputy, notPaid)).toMatchObject({ waitsFor: "second_admin" })
    expect(await stateOf(id)).toEqual(["processing", 5_500, 3_000])
    await sandbox.db.updateTable("users").set({ active: false }).where("id", "=", deputy).execute()
    expect(await settle(id, chief, notPaid)).toMatchObject({ waitsFor: null })
    expect(await stateOf(id)).toEqual(["rejected", 8_500, 0])
  })

  test("eight words at once, of both admins, settle it once", async () => {
    const id = await unanswered()
    await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) => settle(id, index % 2 === 0 ? chief : deputy, index < 4 ? paid : notPaid)),
    )
    await settle(id, chief, paid).catch(() => undefined)
    await settle(id, deputy, paid).catch(() => undefined)
    const [status, available, underWay] = await stateOf(id)
    expect(underWay).toBe(0)
    expect(available).toBe(status === "completed" ? 5_500 : 8_500)
  })

  test("a word against a worker that may be sending waits for its minute", async () => {
    const id = await unanswered()
    await settlePayouts({ ...mute(), clock: later(day) })
    await settle(id, chief, notPaid, day + 1)
    expect(await settle(id, deputy, notPaid, day + 2)).toMatchObject({ waitsFor: "sending" })
    expect(await settle(id, deputy, notPaid, day + 120)).toMatchObject({ waitsFor: null })
    expect(await stateOf(id)).toEqual(["rejected", 8_500, 0])
  })

  test("the bank's own answer still counts, and nobody settles their own or a finished one", async () => {
    const id = await unanswered()
    await expect(settle(id, sellerId, paid)).rejects.toMatchObject({ code: "own_withdrawal" })
    await settlePayouts({ ...sandbox, clock: later(300) })
    expect(await stateOf(id)).toEqual(["completed", 5_500, 0])
    await expect(settle(id, chief, notPaid)).rejects.toMatchObject(early)
  })
})

describe("the other administrators", () => {
  const adminOf = (id: string) => `${id}@exemplo.com`
  const mailed = async (seconds = day) =>
    (await deliverMails({ db: sandbox.db, clock: later(seconds) })).filter(({ subject }) =>
      subject.includes("espera a sua confirmação"),
    )

  test("read in a mail that a word waits for theirs, once for each word, and nobody else does", async () => {
    const id = await unanswered()
    const retired = await createAdmin(sandbox)
    await sandbox.db.updateTable("users").set({ active: false }).where("id", "=", retired).execute()
    await sandbox.db.updateTable("users").set({ role: "admin" }).where("id", "=", sellerId).execute()
    await settle(id, chief, paid)
    await settle(id, chief, paid, day + 10)
    const [mail, ...others] = await mailed(day + 20)
    expect([mail?.to, mail?.subject, others]).toEqual([adminOf(deputy), "Saque espera a sua confirmação: R$ 30,00", []])
    for (const line of [
      "Disse: Ana Souza",
      "O que houve: foi pago",
      `ID do Pix: ${endToEndId}`,
      `Motivo: ${paid.reason}`,
    ])
      expect(mail?.text).toContain(line)
    expect(mail?.text).toContain(`http://localhost:3000/admin/withdrawals?withdrawal=${id}`)
    await settle(id, deputy, notPaid, day + 30)
    await settle(id, chief, notPaid, day + 40)
    expect((await mailed(day + 50)).map(({ to }) => to)).toEqual([adminOf(chief), adminOf(deputy)])
  })

  test("get one mail of the same word said eight times at once, and none of one that is settled", async () => {
    const id = await unanswered()
    const clock = later(day)
    const now = clock.now()
    const say = (by: string) =>
      settleWithdrawalByHand(
        { ...sandbox, clock: { now: () => now } },
        { id, admin: { id: by, address: null }, ...notPaid },
      )
    await Promise.all(Array.from({ length: 8 }, () => say(chief)))
    expect((await mailed()).map(({ to }) => to)).toEqual([adminOf(deputy)])
    await Promise.allSettled([say(deputy), say(deputy)])
    expect(await mailed()).toHaveLength(1)
  })
})

describe("a refund", () => {
  async function unansweredRefund(): Promise<string> {
    const actor = { id: sellerId, address: null }
    const input = {
      chargeId: desk.charge.id,
      amountCents: 4_000 as Cents,
      reason: "",
      actor,
      origin: "seller",
    } as const
    const { id } = await requestRefund(sandbox, { ...input, idempotencyKey: null })
    await settleRefunds(mute())
    return id
  }

  const say = (id: string, by: string, word: Word, seconds = day) =>
    settleRefundByHand({ ...sandbox, clock: later(seconds) }, { id, admin: { id: by, address: null }, ...word })

  const underWay = () => readBalance(sandbox.db, refundsUnderWay("simulator"))

  test("that was paid is completed under its id, once", async () => {
    const id = await unansweredRefund()
    const before = await readBalance(sandbox.db, pspClearing("simulator"))
    await expect(say(id, chief, paid, 80_000)).rejects.toMatchObject(early)
    await say(id, chief, paid)
    const [mail] = await deliverMails({ db: sandbox.db, clock: later(day) }, `${deputy}@exemplo.com`)
    expect(mail?.subject).toBe("Estorno espera a sua confirmação: R$ 40,00")
    expect(mail?.text).toContain(`http://localhost:3000/admin/transactions?transaction=${desk.charge.id}`)
    await settleRefunds({ ...sandbox, clock: later(day + 300) })
    expect(await underWay()).toBe(4_000)
    expect(await say(id, deputy, paid)).toMatchObject({
      waitsFor: null,
      refund: { status: "completed", returnId: endToEndId },
    })
    await expect(say(id, deputy, paid)).rejects.toMatchObject(early)
    expect([await underWay(), await readBalance(sandbox.db, pspClearing("simulator"))]).toEqual([0, before + 4_000])
    expect(await desk.balance()).toBe(5_100)
  })

  test("that was not paid goes back to where it was, and is never sent afterwards", async () => {
    const id = await unansweredRefund()
    await Promise.all([say(id, chief, notPaid), say(id, deputy, notPaid)])
    await settleRefunds({ ...sandbox, clock: later(day + 300) })
    expect([await underWay(), await desk.balance()]).toEqual([0, 8_500])
    expect((await say(id, chief, paid).catch((error: { code: string }) => error)) as object).toMatchObject(early)
    await expect(say(id, sellerId, paid)).rejects.toMatchObject({ code: "own_refund" })
    await expect(say("nada", chief, paid)).rejects.toMatchObject({ code: "refund_not_found" })
  })
})
