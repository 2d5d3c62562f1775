import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterEach, beforeEach, expect, test } from "vitest"
import { reconcileRefunds } from "#bank/reconciliation/reconcile"
import { saoPauloDay, secondsAfter, systemClock } from "#kit/clock"
import { invariant } from "#kit/errors"
import { reconcileDisputes } from "#money/disputes/record"
import { createEntry } from "#money/manual-entries/entries"
import { enterMovements, monthAt, readStatement } from "#money/statements/statement"
import { returnWithdrawal } from "#money/withdrawals/came-back"
import { approveWithdrawal, completePaidByHand } from "#money/withdrawals/decide"
import { sendPayouts } from "#money/withdrawals/pay"
import { requestWithdrawal } from "#money/withdrawals/request"
import type { Destination } from "#money/withdrawals/withdrawal"
import { readBooks } from "#overviews/accounts/accounts"
import { verifyBooks } from "#overviews/ledger-checks/check"
import { openPaidCharge } from "../../../test-support/paid-charges.ts"
import { createAdmin, openSandbox, type Sandbox } from "../../../test-support/sandbox.ts"
import { withSharedClock } from "../../../test-support/shared-clock.ts"
import { contest, decide } from "../../../test-support/test-disputes.ts"
import { closeDays } from "./close.ts"
import { listDailyCloses } from "./daily-close.ts"
import { comparableFrom } from "./rules.ts"

let sandbox: Sandbox
let deps: Sandbox
let now: Date

beforeEach(async () => {
  sandbox = await openSandbox()
  await sandbox.control({ webhooksAtivos: false, liquidacaoMs: 0 })
  now = systemClock.now()
  deps = withSharedClock(sandbox, { now: () => now })
})

afterEach(() => sandbox.close())

async function changeAtBank(method: string, path: string, body: object): Promise<void> {
  const answer = await fetch(`${sandbox.simulatorUrl}/simulador/api/controle/${path}`, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  })
  invariant(answer.ok, `the bank answered ${answer.status}`)
}

const onAccount = (centavos: number) => changeAtBank("POST", "lancamentos", { centavos })

const transfer: Destination = {
  method: "bank_transfer",
  bankData: { bank: "Banco 1", agency: "0001", account: "12345-6", accountType: "corrente" },
}
const pix: Destination = { method: "pix", pixKey: { kind: "email", key: "ana@loja.example" } }

test("a month of an operator's life: every day closes clean, and the accounts are the bank's balance", {
  timeout: 900_000,
}, async () => {
  const admin = { id: await createAdmin(sandbox), address: null }
  const { sellerId, endToEndId } = await openPaidCharge(deps)
  const seller = { id: sellerId, address: null }
  let withdrawalId = ""
  const withdraw = async (cents: number, destination: Destination) => {
    const input = { seller, amountCents: cents as Cents, destination, idempotencyKey: null }
    withdrawalId = (await requestWithdrawal(deps, input)).id
    await approveWithdrawal(deps, { id: withdrawalId, admin, adminNotes: "" })
  }
  const book = (kind: "own_payout" | "bank_tariff" | "capital_in" | "yield" | "correction", cents: number) =>
    createEntry(deps, {
      ...{ admin, idempotencyKey: null, provider: deps.psp.name, kind, amountCents: cents as Cents, reason: "Extrato" },
      sellerId: kind === "correction" ? sellerId : null,
      direction: kind === "correction" ? "debit" : null,
      ...{ reference: null, reverses: kind === "correction" ? endToEndId : null },
    })
  let disputeId = ""
  const events: Record<number, () => Promise<unknown>> = {
    1: () => openPaidCharge(deps, { sellerId, reais: 250 }),
    3: async () => {
      await withdraw(5_000, pix)
      await sendPayouts(deps)
    },
    5: async () => {
      await onAccount(-1_200)
      await book("own_payout", 1_200)
    },
    7: async () => {
      await onAccount(-35)
      await book("bank_tariff", 35)
    },
    9: async () => {
      await withdraw(4_000, transfer)
      await onAccount(-4_000)
      await completePaidByHand(deps, { id: withdrawalId, admin, adminNotes: "" })
    },
    12: async () => {
      disputeId = await contest(sandbox, endToEndId)
      await reconcileDisputes(deps)
    },
    15: async () => {
      await decide(sandbox, disputeId, "ACEITA")
      await reconcileDisputes(deps)
      await reconcileRefunds(deps)
    },
    18: () => book("correction", 150),
    21: async () => {
      await onAccount(4_000)
      await returnWithdrawal(deps, { id: withdrawalId, admin, reason: "Conta errada" })
    },
    24: () => openPaidCharge(deps, { sellerId, reais: 33.33 }),
    27: async () => {
      await onAccount(12)
      await book("yield", 12)
    },
  }

  for (let day = 1; day <= 30; day += 1) {
    await events[day]?.()
    // Into the small hours of the next day, when the one before is compared.
    const next = secondsAfter(comparableFrom(saoPauloDay(now)), 60)
    await changeAtBank("PUT", "relogio", { avancarMs: next.getTime() - now.getTime() })
    now = next
    await enterMovements(deps)
    await closeDays(deps)
    const { closes } = await listDailyCloses(sandbox.db, { offset: 0, limit: 1 })
    expect(closes[0], `day ${day}`).toMatchObject({ status: "ok", differenceCount: 0, mendedCount: 0 })
    const bankCents = (await sandbox.psp.readBalance?.()) ?? null
    expect(closes[0]?.balance, `day ${day}`).toMatchObject({ bankCents, ourCents: bankCents, differenceCents: 0 })
    const { equation } = await readBooks(deps, undefined)
    expect(equation, `day ${day}`).toMatchObject({ bankCents, differenceCents: 0 })
  }
  const { closes } = await listDailyCloses(sandbox.db, { offset: 0, limit: 60 })
  expect(closes).toHaveLength(30)
  const { closingCents } = await readStatement(deps, { sellerId, month: monthAt(now), after: undefined, limit: 100 })
  const { accounts } = await readBooks(deps, undefined)
  expect(accounts.find(({ kind }) => kind === "seller_available")?.balanceCents).toBe(closingCents)
  expect((await verifyBooks(sandbox.db)).differences).toEqual([])
})
