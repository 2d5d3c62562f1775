import { expect, test } from "vitest"
import { csvFile, moneyCell, textCell } from "./download.ts"

test("a text stays one cell and never becomes a formula", () => {
  expect(["Ana", "Ana; Bia", 'dita "a"', "=1+1", "-2", "@x", "＝A1"].map(textCell)).toEqual([
    "Ana",
    '"Ana; Bia"',
    '"dita ""a"""',
    "'=1+1",
    "'-2",
    "'@x",
    "'＝A1",
  ])
})

test("amounts have a decimal comma and no thousands' points", () => {
  expect([0, 0.1, 1234.5, 9_999_999.99].map(moneyCell)).toEqual(["0,00", "0,10", "1234,50", "9999999,99"])
})

test("a file begins with the mark of UTF-8, and each line ends as Windows wants it", async () => {
  const file = csvFile([
    ["Dia", "Valor bruto"],
    ["21/11/2026", "10,00"],
  ])
  const bytes = new Uint8Array(await file.arrayBuffer())
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  expect(new TextDecoder().decode(bytes)).toBe("Dia;Valor bruto\r\n21/11/2026;10,00\r\n")
})
