import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { PixKey, PixKeyKind } from "@tilinta/contract/vocabulary/pix-key"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type Clock, secondsAfter } from "#kit/clock"
import { payoutsUnderWay, sellerHeld } from "#ledger/accounts"
import { readBalance, verifyLedger } from "#ledger/reads"
import { readSellerBalance } from "#money/payments/reads"
import { getUser } from "#people/users/reads"
import { PspError, type PspPayoutRequest, type PspPayouts } from "#psp/psp"
import { giveBalance } from "../../../test-support/give-balance.ts"
import { createSeller, openSandbox, type Sandbox } from "../../../test-support/sandbox.ts"
import { approveWithdrawal } from "./decide.ts"
import { verifyWithdrawals } from "./operator-reads.ts"
import { sendPayouts, settlePayouts } from "./pay.ts"
import { listSellersWithdrawals } from "./reads.ts"
import { requestWithdrawal } from "./request.ts"
import type { Withdrawal } from "./withdrawal.ts"

let sandbox: Sandbox
let adminId: string

const allWell = { falhaApi: null, liquidacaoMs: 0, pagamentosRecusados: false }

beforeAll(async () => {
  sandbox = await openSandbox()
  adminId = await createSeller(sandbox)
})

beforeEach(async () => {
  await sandbox.control(allWell)
})

afterAll(async () => {
  await sandbox.control(allWell)
  expect(await verifyLedger(sandbox.db)).toEqual([])
  expect(await verifyWithdrawals(sandbox.db)).toEqual([])
  await sandbox.close()
})

const later = (seconds: number): Clock => ({ now: () => secondsAfter(new Date(), seconds) })

async function approved(cents = 1_000, key = "ana@loja.example", kind: PixKeyKind = "email"): Promise<Withdrawal> {
  const sellerId = await createSeller(sandbox)
  await giveBalance(sandbox.db, sellerId, cents)
  const { id } = await request(sellerId, cents, { kind, key })
  const decision = { id, admin: { id: adminId, address: null }, adminNotes: "" }
  return (await approveWithdrawal(sandbox, decision)).withdrawal
}

function request(sellerId: string, cents: number, pixKey: PixKey): Promise<Withdrawal> {
  return requestWithdrawal(sandbox, {
    seller: { id: sellerId, address: null },
    amountCents: cents as Cents,
    destination: { method: "pix", pixKey },
    idempotencyKey: null,
  })
}

async function sentUnder(payoutId: string | null): Promise<{ valor: string; favorecido: { chave: string } }[]> {
  const answer = await fetch(`${sandbox.simulatorUrl}/simulador/api/envios`)
  const { envios } = (await answer.json()) as {
    envios: { idEnvio: string; valor: string; favorecido: { chave: string } }[]
  }
  return envios.filter(({ idEnvio }) => idEnvio === payoutId)
}

async function rowOf({ id }: Withdrawal) {
  return sandbox.db.selectFrom("withdrawals").selectAll().where("id", "=", id).executeTakeFirstOrThrow()
}

async function moneyOf({ sellerId }: Withdrawal) {
  const [available, held] = await Promise.all([
    readSellerBalance(sandbox.db, sellerId),
    readBalance(sandbox.db, sellerHeld(sellerId)),
  ])
  return { available, held }
}

function bankPayouts(): PspPayouts {
  if (sandbox.psp.payouts === null) throw new Error("the simulator sends no money")
  return sandbox.psp.payouts
}

const withPayouts = (changes: Partial<PspPayouts>) => ({
  ...sandbox,
  psp: { ...sandbox.psp, payouts: { ...bankPayouts(), ...changes } },
})

test("an approved Pix is sent to the requested key, and completes", async () => {
  const withdrawal = await approved(1_234)
  await sendPayouts(sandbox)
  expect(await rowOf(withdrawal)).toMatchObject({
    status: "completed",
    provider: "simulator",
    end_to_end_id: expect.stringMatching(/^E.{31}$/),
  })
  const { withdrawals } = await listSellersWithdrawals(
    sandbox.db,
    { sellerId: withdrawal.sellerId },
    { offset: 0, limit: 1 },
  )
  expect(withdrawals).toMatchObject([{ id: withdrawal.id, sentAt: expect.any(Date) }])
  expect(await sentUnder(withdrawal.payoutId)).toMatchObject([
    { valor: "12.34", favorecido: { chave: "ana@loja.example" } },
  ])
  expect(await moneyOf(withdrawal)).toEqual({ available: 0, held: 0 })
  expect(await readBalance(sandbox.db, payoutsUnderWay("simulator"))).toBe(0)
})

test("a bank that checks the holder is told a CNPJ as its own, and the seller's CPF for any other key", async () => {
  const { payouts } = sandbox.psp
  const holders: (string | undefined)[] = []
  const checking = payouts && {
    ...payouts,
    checksHolder: true,
    send: (request: PspPayoutRequest) => {
      holders.push(request.holder)
      return payouts.send(request)
    },
  }
  const ofEmail = await approved()
  await sendPayouts({ ...sandbox, psp: { ...sandbox.psp, payouts: checking } })
  await approved(1_000, "11222333000181", "cnpj")
  await sendPayouts({ ...sandbox, psp: { ...sandbox.psp, payouts: checking } })
  const { cpf } = await getUser(sandbox.db, ofEmail.sellerId)
  expect(holders).toEqual([cpf === "" ? undefined : cpf, "11222333000181"])
})

test("W13: a profile change after the request doesn't redirect the payout", async () => {
  const withdrawal = await approved(1_000, "antes@loja.example")
  await sandbox.db
    .updateTable("users")
    .set({ bank_account: JSON.stringify({ pixKey: "depois@loja.example" }) })
    .where("id", "=", withdrawal.sellerId)
    .execute()
  await sendPayouts(sandbox)
  expect(await sentUnder(withdrawal.payoutId)).toMatchObject([{ favorecido: { chave: "antes@loja.example" } }])
})

test("a slow payout stays under way, and completes when the bank says so", async () => {
  await sandbox.control({ liquidacaoMs: 300 })
  const withdrawal = await approved()
  await sendPayouts(sandbox)
  expect(await rowOf(withdrawal)).toMatchObject({ status: "processing" })
  expect(await readBalance(sandbox.db, payoutsUnderWay("simulator"))).toBe(1_000)
  await new Promise((resolve) => setTimeout(resolve, 350))
  await settlePayouts({ ...sandbox, clock: later(5) })
  expect(await rowOf(withdrawal)).toMatchObject({ status: "completed" })
  expect(await sentUnder(withdrawal.payoutId)).toHaveLength(1)
})

describe("W08: a refusal by the bank", () => {
  test("returns the money once, says why, and the seller can request again", async () => {
    const withdrawal = await approved(1_000, "conta-recusada@loja.example")
    await sendPayouts(sandbox)
    await Promise.all([sendPayouts(sandbox), settlePayouts({ ...sandbox, clock: later(300) })])
    expect(await rowOf(withdrawal)).toMatchObject({
      status: "rejected",
      failure_reason: "Chave Pix não encontrada ou recusada pelo banco de destino.",
    })
    expect(await moneyOf(withdrawal)).toEqual({ available: 1_000, held: 0 })
    expect(await request(withdrawal.sellerId, 1_000, { kind: "email", key: "outra@loja.example" })).toMatchObject({
      status: "pending",
    })
  })

  test("two nodes that learn of it at once return the money once", async () => {
    await sandbox.control({ pagamentosRecusados: true, liquidacaoMs: 200 })
    const withdrawal = await approved()
    await sendPayouts(sandbox)
    await new Promise((resolve) => setTimeout(resolve, 250))
    await Promise.all(Array.from({ length: 4 }, () => settlePayouts({ ...sandbox, clock: later(200) })))
    expect(await moneyOf(withdrawal)).toEqual({ available: 1_000, held: 0 })
  })
})

describe("when the outcome is unknown", () => {
  test("a payout whose answer was lost is looked up, not sent again", async () => {
    const withdrawal = await approved()
    const lossy = withPayouts({
      async send(request) {
        await bankPayouts().send(request)
        throw new PspError("unknown", "the line was cut")
      },
    })
    await sendPayouts(lossy)
    expect(await rowOf(withdrawal)).toMatchObject({ status: "processing" })
    expect(await moneyOf(withdrawal)).toEqual({ available: 0, held: 0 })
    await settlePayouts({ ...sandbox, clock: later(30) })
    expect(await rowOf(withdrawal)).toMatchObject({ status: "completed" })
    expect(await sentUnder(withdrawal.payoutId)).toHaveLength(1)
  })

  test.for(["timeout-antes", "timeout-apos-aceitar", "indisponivel"])(
    "the bank is out of order (%s): the same id goes on once it is back",
    async (falhaApi) => {
      const withdrawal = await approved()
      await sandbox.control({ falhaApi })
      await sendPayouts(sandbox)
      await settlePayouts({ ...sandbox, clock: later(100) })
      expect(await rowOf(withdrawal)).toMatchObject({ status: "processing" })
      await sandbox.control({ falhaApi: null })
      await settlePayouts({ ...sandbox, clock: later(400) })
      expect(await rowOf(withdrawal)).toMatchObject({ status: "completed" })
      expect(await sentUnder(withdrawal.payoutId)).toHaveLength(1)
    },
  )

  test("a payout with another amount at the bank moves nothing and raises an alarm", async () => {
    const withdrawal = await approved()
    const odd = withPayouts({
      find: async () => ({
        state: "completed",
        amountCents: 999 as Cents,
        endToEndId: "E1",
        reason: null,
        settledAt: null,
      }),
    })
    await sendPayouts(odd)
    expect(await rowOf(withdrawal)).toMatchObject({ status: "processing" })
    await settlePayouts({ ...sandbox, clock: later(30) })
    expect(await rowOf(withdrawal)).toMatchObject({ status: "completed" })
  })
})

describe("W09: a crash", () => {
  const crash = () => Promise.reject(new Error("killed"))

  test("between our record and the call: the payout continues after the lease, not before", async () => {
    const withdrawal = await approved()
    await expect(sendPayouts(withPayouts({ find: crash }))).rejects.toThrow(AggregateError)
    await settlePayouts(sandbox)
    expect(await rowOf(withdrawal)).toMatchObject({ status: "processing" })
    await settlePayouts({ ...sandbox, clock: later(61) })
    expect(await rowOf(withdrawal)).toMatchObject({ status: "completed" })
    expect(await sentUnder(withdrawal.payoutId)).toHaveLength(1)
  })

  test("after the bank accepted it and before the record: it is found", async () => {
    const withdrawal = await approved()
    const dying = withPayouts({
      async send(request) {
        await bankPayouts().send(request)
        return crash()
      },
    })
    await expect(sendPayouts(dying)).rejects.toThrow(AggregateError)
    await settlePayouts({ ...sandbox, clock: later(61) })
    expect(await rowOf(withdrawal)).toMatchObject({ status: "completed" })
    expect(await sentUnder(withdrawal.payoutId)).toHaveLength(1)
  })
})

test("W20: over a backup from before the payout, the bank's own record of it is adopted", async () => {
  const withdrawal = await approved()
  const { payoutId, amountCents } = withdrawal
  const pixKey = { kind: "email", key: "ana@loja.example" } as const
  const paid = { payoutId: payoutId ?? "", pixKey, amountCents, description: "Saque" }
  const before = await bankPayouts().send(paid)
  await sendPayouts(sandbox)
  expect(await rowOf(withdrawal)).toMatchObject({ status: "completed", end_to_end_id: before.endToEndId })
  expect(await sentUnder(payoutId)).toHaveLength(1)
})

test("many, on several nodes at once, are each paid once", async () => {
  const withdrawals = await Promise.all(Array.from({ length: 30 }, (_, index) => approved(500 + index)))
  await Promise.all(Array.from({ length: 4 }, () => sendPayouts(sandbox)))
  for (const withdrawal of withdrawals) {
    expect(await rowOf(withdrawal)).toMatchObject({ status: "completed" })
    expect(await sentUnder(withdrawal.payoutId)).toHaveLength(1)
  }
})
