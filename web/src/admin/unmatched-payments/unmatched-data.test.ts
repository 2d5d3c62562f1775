import { expect, test } from "vitest"
import { creditedSeller, effectLines, needsSeller } from "./unmatched-data.ts"

const linesOf = (sellerGets: number, fee: number, payerGets: number) =>
  effectLines({ sellerGets, fee, payerGets }).map((line) => line.replace(/\s/g, " "))

test("an effect names everyone who gains or loses", () => {
  expect(linesOf(85, 15, 0)).toEqual(["O vendedor recebe R$ 85,00", "A plataforma fica com R$ 15,00 de taxa"])
  expect(linesOf(0, 0, 12.5)).toEqual(["O pagador recebe R$ 12,50 de volta"])
  expect(linesOf(-85, -15, 100)).toEqual([
    "Saem R$ 85,00 do saldo do vendedor",
    "A plataforma devolve R$ 15,00 de taxa",
    "O pagador recebe R$ 100,00 de volta",
  ])
})

test("a decision that moves nothing says so", () => {
  expect(linesOf(0, 0, 0)).toEqual(["Nenhum saldo muda: já foi creditado e só é marcado como conferido"])
})

test("only a payment without a charge needs a seller, and only to be accepted", () => {
  const user = { _id: "ana", name: "Ana", email: "ana@exemplo.com" }
  expect(needsSeller({ user: null }, "accept")).toBe(true)
  expect(needsSeller({ user: null }, "return")).toBe(false)
  expect(needsSeller({ user }, "accept")).toBe(false)
})

test("a payment that a charge names is its seller's only once it was credited", () => {
  const user = { _id: "ana", name: "Ana", email: "ana@exemplo.com" }
  expect(creditedSeller({ reason: "late", user })).toBe(user)
  expect(creditedSeller({ reason: "wrong_amount", user })).toBe(null)
  expect(creditedSeller({ reason: "unknown_txid", user: null })).toBe(null)
})
