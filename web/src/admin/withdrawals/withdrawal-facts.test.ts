import type { AdminWithdrawalView, WithdrawalFacts } from "@tilinta/contract/admin-withdrawals"
import { expect, test } from "vitest"
import { signalsOf } from "./withdrawal-facts.tsx"

const now = new Date("2026-11-21T12:00:00Z")
const calm: WithdrawalFacts = {
  sellerSince: "2025-01-01T12:00:00Z",
  paidCount: 12,
  usualAmount: 100,
  destination: "same",
  inProfile: true,
  profileChangedAt: "2025-01-02T12:00:00Z",
  balanceAfter: 10,
  openRefunds: { count: 0, amount: 0 },
}
const signals = (facts: Partial<WithdrawalFacts> | null, amount = 100): string[] => {
  const asked: Pick<AdminWithdrawalView, "amount" | "facts"> = { amount, facts: facts && { ...calm, ...facts } }
  return signalsOf(asked, now)
}

test("usual and decided withdrawals show no signals", () => {
  expect(signals({})).toEqual([])
  expect(signals({}, 299.99)).toEqual([])
  expect(signals(null, 10_000)).toEqual([])
})

test("each difference is named", () => {
  expect(signals({ destination: "changed" })).toEqual(["Outro destino"])
  expect(signals({ profileChangedAt: "2026-11-19T10:00:00Z" })).toEqual(["Dados bancários mudados há 2 dias"])
  expect(signals({}, 570)).toEqual(["5× o usual"])
  expect(signals({ balanceAfter: -0.01 })).toEqual(["Saldo negativo"])
  expect(signals({ openRefunds: { count: 2, amount: 30 } })).toEqual(["2 estornos em andamento"])
  expect(
    signals({ paidCount: 0, usualAmount: null, destination: "first", sellerSince: "2026-11-21T09:00:00Z" }),
  ).toEqual(["Primeiro saque", "Conta nova, há 3 h"])
})
