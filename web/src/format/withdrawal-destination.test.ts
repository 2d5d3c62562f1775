import { expect, test } from "vitest"
import { destinationDetail, shortDestination, wholeDestination } from "./withdrawal-destination.ts"

const byPix = { paymentMethod: "pix", pixKeyType: "evp", bankData: null } as const
const bankData = { bank: "Banco 1", agency: "0001", account: "123-4", accountType: "poupanca" } as const
const byBank = { paymentMethod: "bank_transfer", pixKey: null, pixKeyType: null, bankData } as const

test("the history cuts a PIX key to twenty characters, and no key that fits", () => {
  const key = "123e4567-e89b-12d3-a456-426614174000"
  expect(shortDestination({ ...byPix, pixKey: key })).toBe("123e4567-e89b-12d3-a…")
  expect(shortDestination({ ...byPix, pixKey: key.slice(0, 20) })).toBe(key.slice(0, 20))
  expect(wholeDestination({ ...byPix, pixKey: key })).toContainEqual({ term: "Chave PIX", value: key })
  expect(destinationDetail({ ...byPix, pixKey: key })).toBe("PIX · Chave aleatória")
})

test("a bank account is shown by its bank, and in full where there is room", () => {
  expect(shortDestination(byBank)).toBe("Banco 1")
  expect(destinationDetail(byBank)).toBe("Ag. 0001 · Conta 123-4")
  expect(wholeDestination(byBank)).toEqual([
    { term: "Banco", value: "Banco 1" },
    { term: "Agência", value: "0001" },
    { term: "Conta poupança", value: "123-4" },
  ])
})
