import { ambiguousPixKey } from "@tilinta/contract/vocabulary/pix-key"
import { expect, test } from "vitest"
import {
  destinationDetail,
  paidWithinSentence,
  pixKeyHint,
  savedPixKeyText,
  shortDestination,
  unknownPixKey,
  wholeDestination,
} from "./withdrawal-texts.ts"

const byPix = { paymentMethod: "pix", pixKeyType: "evp", bankData: null } as const
const bankData = { bank: "Banco 1", agency: "0001", account: "123-4", accountType: "poupanca" } as const
const byBank = { paymentMethod: "bank_transfer", pixKey: null, pixKeyType: null, bankData } as const

test("the history cuts a Pix key to twenty characters, and no key that fits", () => {
  const key = "123e4567-e89b-12d3-a456-426614174000"
  expect(shortDestination({ ...byPix, pixKey: key })).toBe("123e4567-e89b-12d3-a…")
  expect(shortDestination({ ...byPix, pixKey: key.slice(0, 20) })).toBe(key.slice(0, 20))
  expect(wholeDestination({ ...byPix, pixKey: key })).toContainEqual({ term: "Chave Pix", value: key })
  expect(destinationDetail({ ...byPix, pixKey: key })).toBe("Chave aleatória")
})

test("phones and documents are shown with their punctuation", () => {
  const byPhone = { ...byPix, pixKeyType: "phone", pixKey: "+5511987654321" } as const
  expect(shortDestination(byPhone)).toBe("(11) 98765-4321")
  expect(wholeDestination(byPhone)).toContainEqual({ term: "Chave Pix", value: "(11) 98765-4321" })
  expect(shortDestination({ ...byPix, pixKeyType: "cpf", pixKey: "52998224725" })).toBe("529.982.247-25")
  expect(savedPixKeyText("+5511987654321")).toBe("(11) 98765-4321")
  expect(savedPixKeyText("a do meu banco")).toBe("a do meu banco")
})

test("a bank account is shown by its bank, and in full where there is space", () => {
  expect(shortDestination(byBank)).toBe("Banco 1")
  expect(destinationDetail(byBank)).toBe("Ag. 0001 · Conta 123-4")
  expect(wholeDestination(byBank)).toEqual([
    { term: "Banco", value: "Banco 1" },
    { term: "Agência", value: "0001" },
    { term: "Conta poupança", value: "123-4" },
  ])
})

test("the hint names the kind of a key, and how it is read where that is not as typed", () => {
  expect(pixKeyHint(" ")).toBeUndefined()
  expect(pixKeyHint("529.982.247-25")).toBe("Tipo da chave: CPF")
  expect(pixKeyHint("52998224725")).toBe("Tipo da chave: CPF · 529.982.247-25")
  expect(pixKeyHint("+5511987654321")).toBe("Tipo da chave: Telefone · (11) 98765-4321")
  expect(pixKeyHint("ana@exemplo.com ")).toBe("Tipo da chave: E-mail")
  expect(pixKeyHint("11 98765-4321")).toBe("Tipo da chave: Telefone · (11) 98765-4321")
  expect(pixKeyHint("98765-4321")).toBe(unknownPixKey)
  expect(pixKeyHint("11900000083")).toBe(ambiguousPixKey)
})

test.each([
  [1, 1, "Os últimos saques levaram cerca de 1 min."],
  [0, 9, "Os últimos saques levaram de 1 min a 9 min."],
  [10, 180, "Os últimos saques levaram de 10 min a 3 h."],
  [12, 181, "Os últimos saques levaram de 15 min a 4 h."],
  [58, 60, "Os últimos saques levaram cerca de 1 h."],
  [1_440, 1_441, "Os últimos saques levaram de 24 h a 2 dias."],
  [2_821, 7_000, "Os últimos saques levaram de 2 dias a 5 dias."],
])("%d to %d minutes: %s", (fromMinutes, toMinutes, sentence) => {
  expect(paidWithinSentence({ fromMinutes, toMinutes })).toBe(sentence)
})
