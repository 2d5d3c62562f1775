import { encodeDynamic, encodeStatic } from "@tilinta/brcode/encode"
import { crc16Digits } from "@tilinta/brcode/tlv"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { expect, test } from "vitest"
import { oddTextsOf, problemOfPixCode, receiverNameOf } from "./open.ts"

const merchant = { merchantName: "Loja da Ana", merchantCity: "Recife" }
const url = "pix.banco.example/qr/v2/abc"
const dynamic = (amountCents?: number) =>
  encodeDynamic({ ...merchant, url, ...(amountCents !== undefined && { amountCents }) })
const hundred = 10_000 as Cents

test.each([[undefined], [10_000]])("a code of the bank's with the amount %j is shown", (amountCents) => {
  expect(problemOfPixCode(dynamic(amountCents), hundred)).toBeNull()
})

/** A valid code with this name and city. */
function named(name: string, city: string, lengthOf = (value: string) => value.length): string {
  const field = (tag: string, value: string) => `${tag}${String(lengthOf(value)).padStart(2, "0")}${value}`
  const account = field("26", field("00", "br.gov.bcb.pix") + field("25", url))
  const body = `000201${account}520400005303986${field("58", "BR")}${field("59", name)}${field("60", city)}62070503***6304`
  return body + crc16Digits(body)
}

test.each([
  ["LOJA DA ANA", "RECIFE", []],
  ["Padaria São João", "São Paulo", ["name-chars", "city-chars"]],
  ["LOJA DA ANA", "SAO JOSE DOS CAMPOS", ["city-length"]],
])("the name %s and the city %s are shown to payers, odd ones with a warning", (name, city, odd) => {
  expect(problemOfPixCode(named(name, city), hundred)).toBeNull()
  expect(oddTextsOf(named(name, city))).toEqual(odd)
})

test.each([
  ["Padaria São João", "RECIFE", ["name-chars", "byte-lengths"]],
  ["LOJA DA ANA", "São Paulo", ["city-chars", "byte-lengths"]],
  ["Ação & Cia – “Ouro”", "Brasília", ["name-chars", "city-chars", "byte-lengths"]],
])("the name %s and the city %s are shown where the bank's lengths count bytes, too", (name, city, odd) => {
  const code = named(name, city, (value) => Buffer.byteLength(value))
  expect(problemOfPixCode(code, hundred)).toBeNull()
  expect(oddTextsOf(code)).toEqual(odd)
  expect(receiverNameOf(code)).toBe(name)
})

test.each([
  ["another sum at its end", dynamic().replace(/.{4}$/, "0000")],
  ["one sign changed", dynamic().replace("abc", "abd")],
  ["another amount", dynamic(1)],
  ["anybody's Pix key", encodeStatic({ ...merchant, key: "ladrao@exemplo.com", amountCents: 10_000 })],
  ["nothing in it", ""],
  ["something else", "https://banco.example"],
])("a code with %s is not", (_name, code) => {
  expect(problemOfPixCode(code, hundred)).toEqual(expect.stringMatching(/\S/))
})
