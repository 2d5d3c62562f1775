import { expect, test } from "vitest"
import { batchConsequences, sumOf } from "./batch.ts"

const pix = { paymentMethod: "pix", paidByHand: false } as const
const byHand = { paymentMethod: "bank_transfer", paidByHand: true } as const

test("amounts add up to the centavo", () => {
  expect(sumOf([{ amount: 0.1 }, { amount: 0.2 }, { amount: 1.15 }])).toBe(1.45)
  expect(sumOf([])).toBe(0)
})

test("automatic payouts and transfers by hand are distinguished", () => {
  expect(batchConsequences([pix])).toEqual(["1 Pix é enviado ao banco em seguida: isto não pode ser desfeito."])
  expect(batchConsequences([pix, pix, byHand])).toEqual([
    "2 Pix são enviados ao banco em seguida: isto não pode ser desfeito.",
    "1 saque espera que você pague no seu banco e marque como pago.",
  ])
  expect(batchConsequences([byHand, byHand])).toEqual([
    "2 saques esperam que você pague no seu banco e marque como pago.",
  ])
})
