import type { WithdrawalView } from "@tilinta/contract/withdrawals"
import { expect, test } from "vitest"
import { withdrawalSteps } from "./withdrawal-steps.ts"

const at = (minute: number) => `2026-11-21T12:0${minute}:00.000Z`
const pending = {
  status: "pending",
  paymentMethod: "pix",
  createdAt: at(0),
  approvedAt: null,
  sentAt: null,
  processedAt: null,
  adminNotes: "",
  amount: 50,
  returnedAmount: 0,
  returnedAt: null,
} as WithdrawalView

function stepsOf(changes: Partial<WithdrawalView>): string[] {
  return withdrawalSteps({ ...pending, ...changes }).map(({ title, state, at: time, note }) =>
    [title, state, time?.slice(14, 16), note].filter((part) => part !== undefined).join(" "),
  )
}

test("a request on its way shows what is still to come", () => {
  expect(stepsOf({})).toEqual(["Solicitado done 00", "Em análise current", "Envio ao banco ahead", "Concluído ahead"])
  expect(stepsOf({ status: "approved", approvedAt: at(1) })).toEqual([
    "Solicitado done 00",
    "Aprovado done 01",
    "Envio ao banco current",
    "Concluído ahead",
  ])
  expect(stepsOf({ status: "approved", approvedAt: at(1), paymentMethod: "bank_transfer" }).at(-1)).toBe(
    "Transferência current",
  )
  expect(stepsOf({ status: "approved", approvedAt: at(1), sentAt: at(2) })[2]).toBe("Enviado ao banco current 02")
})

test("a finished one shows when each step was made", () => {
  const done = { status: "completed", approvedAt: at(1), sentAt: at(2), processedAt: at(3) } as const
  expect(stepsOf(done)).toEqual([
    "Solicitado done 00",
    "Aprovado done 01",
    "Enviado ao banco done 02",
    "Concluído done 03",
  ])
  expect(stepsOf({ ...done, paymentMethod: "bank_transfer", sentAt: null, adminNotes: "Feita às 9h" })).toEqual([
    "Solicitado done 00",
    "Aprovado done 01",
    "Transferência feita done 03 Feita às 9h",
  ])
})

test("a rejection, a refusal by the bank and a cancellation are distinguished, with their reasons", () => {
  const ended = { processedAt: at(3), adminNotes: "Chave de outra pessoa" }
  expect(stepsOf({ ...ended, status: "rejected" })).toEqual([
    "Solicitado done 00",
    "Rejeitado failed 03 Chave de outra pessoa",
  ])
  expect(stepsOf({ ...ended, status: "rejected", approvedAt: at(1), sentAt: at(2) })).toEqual([
    "Solicitado done 00",
    "Aprovado done 01",
    "Enviado ao banco done 02",
    "Recusado pelo banco failed 03 Chave de outra pessoa",
  ])
  expect(stepsOf({ processedAt: at(3), status: "cancelled" })).toEqual([
    "Solicitado done 00",
    "Cancelado por você failed 03",
  ])
})

test("money that went back to the balance says whether it had been paid", () => {
  const back = { status: "rejected", approvedAt: at(1), processedAt: at(3), returnedAt: at(4) } as const
  expect(stepsOf({ ...back, paymentMethod: "bank_transfer", adminNotes: "conta errada" }).slice(2)).toEqual([
    "Não foi possível pagar: o valor voltou ao seu saldo failed 04 conta errada",
  ])
  expect(stepsOf({ ...back, sentAt: at(2), returnedAmount: 50 }).slice(2)).toEqual([
    "Enviado ao banco done 02",
    "Concluído done 03",
    "Devolvido ao seu saldo failed 04",
  ])
  expect(stepsOf({ ...back, status: "completed", sentAt: at(2), returnedAmount: 10 }).at(-1)).toBe(
    "Devolvido em parte ao seu saldo failed 04",
  )
})
