import type { AdminWithdrawalView } from "@tilinta/contract/admin-withdrawals"
import { expect, test } from "vitest"
import { adminWithdrawalSteps, waitingTime } from "./withdrawal-steps.ts"

const at = (minute: number) => `2026-11-21T12:0${minute}:00.000Z`
const pending = {
  status: "pending",
  paymentMethod: "pix",
  paidByHand: false,
  createdAt: at(0),
  approvedAt: null,
  processedAt: null,
  adminNotes: "",
  amount: 50,
  returnedAmount: 0,
  returnedAt: null,
} as AdminWithdrawalView

function stepsOf(changes: Partial<AdminWithdrawalView>): string[] {
  return adminWithdrawalSteps({ ...pending, ...changes }).map(({ title, state, at: time, note }) =>
    [title, state, time?.slice(14, 16), note].filter((part) => part !== undefined).join(" "),
  )
}

test("what waits for a decision shows what will come", () => {
  expect(stepsOf({})).toEqual([
    "Solicitado done 00",
    "Decisão current",
    "Envio ao banco ahead",
    "Confirmado pelo banco ahead",
  ])
  expect(stepsOf({ paymentMethod: "bank_transfer", paidByHand: true }).slice(1)).toEqual([
    "Decisão current",
    "Transferência feita ahead",
  ])
})

test("a transfer that was approved waits for the person who makes it, a Pix for the bank", () => {
  const approved = { status: "approved", approvedAt: at(1), adminNotes: "conferido" } as const
  expect(stepsOf({ ...approved, paymentMethod: "bank_transfer", paidByHand: true }).slice(1)).toEqual([
    "Aprovado done 01 conferido",
    "Transferência feita current",
  ])
  expect(stepsOf({ ...approved, paidByHand: true }).slice(2)).toEqual(["Pix feito por você current"])
  expect(stepsOf(approved).slice(2)).toEqual(["Envio ao banco current", "Confirmado pelo banco ahead"])
  expect(stepsOf({ ...approved, status: "processing" }).slice(2)).toEqual([
    "Envio ao banco done",
    "Confirmado pelo banco current",
  ])
})

test("the last step names who ended it, and why", () => {
  const ended = { processedAt: at(3), adminNotes: "chave de outra pessoa" } as const
  expect(stepsOf({ ...ended, status: "completed", approvedAt: at(1) }).at(-1)).toBe(
    "Confirmado pelo banco done 03 chave de outra pessoa",
  )
  expect(stepsOf({ ...ended, status: "rejected" }).at(-1)).toBe("Rejeitado failed 03 chave de outra pessoa")
  expect(stepsOf({ ...ended, status: "rejected", approvedAt: at(1) }).at(-1)).toBe(
    "Recusado pelo banco failed 03 chave de outra pessoa",
  )
  expect(stepsOf({ ...ended, status: "cancelled" }).at(-1)).toBe("Cancelado pelo vendedor failed 03")
})

test("money that went back to the balance says whether it had been paid", () => {
  const back = { approvedAt: at(1), processedAt: at(2), returnedAt: at(4), adminNotes: "conta errada" } as const
  const byBank = { ...back, paymentMethod: "bank_transfer", paidByHand: true } as const
  expect(stepsOf({ ...byBank, status: "rejected" }).slice(1)).toEqual([
    "Aprovado done 01",
    "Não foi possível pagar failed 04 conta errada",
  ])
  expect(stepsOf({ ...byBank, status: "rejected", returnedAmount: 50 }).slice(2)).toEqual([
    "Transferência feita done 02",
    "Devolvido ao saldo failed 04 conta errada",
  ])
  expect(stepsOf({ ...back, status: "completed", returnedAmount: 10 }).slice(3)).toEqual([
    "Confirmado pelo banco done 02",
    "Devolvido em parte failed 04 conta errada",
  ])
})

const now = new Date("2026-11-21T12:00:00Z")

test.each([
  ["2026-11-21T12:00:05Z", "agora"],
  ["2026-11-21T11:59:01Z", "agora"],
  ["2026-11-21T11:59:00Z", "há 1 min"],
  ["2026-11-21T11:00:01Z", "há 59 min"],
  ["2026-11-21T11:00:00Z", "há 1 h"],
  ["2026-11-19T12:00:01Z", "há 47 h"],
  ["2026-11-19T12:00:00Z", "há 2 dias"],
  ["ontem", ""],
])("a request of %s waits '%s'", (since, expected) => {
  expect(waitingTime(since, now)).toBe(expected)
})
