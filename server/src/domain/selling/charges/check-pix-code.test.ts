import { encodeDynamic, encodeStatic } from "@tilinta/brcode/encode"
import { expect, test } from "vitest"
import type { Cents } from "#kit/money"
import { problemOfPixCode } from "./check-pix-code.ts"

const merchant = { merchantName: "Loja da Ana", merchantCity: "Recife" }
const url = "pix.banco.example/qr/v2/abc"
const dynamic = (amountCents?: number) =>
  encodeDynamic({ ...merchant, url, ...(amountCents !== undefined && { amountCents }) })
const hundred = 10_000 as Cents

test.each([[undefined], [10_000]])("a code of the bank's with the amount %j is shown", (amountCents) => {
  expect(problemOfPixCode(dynamic(amountCents), hundred)).toBeNull()
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
