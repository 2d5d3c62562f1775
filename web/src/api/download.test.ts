import { readXlsx } from "hucre/xlsx"
import { expect, test } from "vitest"
import { csvFile, xlsxFile } from "./download.ts"

const bytesOf = async (file: Blob) => new Uint8Array(await file.arrayBuffer())
const rowOf = async (...cells: Parameters<typeof csvFile>[0]["rows"][number]) =>
  new TextDecoder().decode(await bytesOf(csvFile({ heads: [], rows: [cells] }))).split("\r\n")[1]

test("a text stays one cell and never becomes a formula", async () => {
  expect(await rowOf("Ana", "Ana; Bia", 'dita "a"', "=1+1", "-2", "@x", "＝A1", "")).toBe(
    `Ana;"Ana; Bia";"dita ""a""";'=1+1;'-2;'@x;'＝A1;`,
  )
})

test("amounts have a decimal comma and no thousands' points", async () => {
  const amounts = [0, 0.1, 1234.5, 9_999_999.99].map((reais) => ({ reais }))
  expect(await rowOf(...amounts)).toBe("0,00;0,10;1234,50;9999999,99")
})

test("a file begins with the mark of UTF-8, and each line ends as Windows wants it", async () => {
  const bytes = await bytesOf(csvFile({ heads: ["Dia", "Valor bruto"], rows: [["21/11/2026", { reais: 10 }]] }))
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  expect(new TextDecoder().decode(bytes)).toBe("Dia;Valor bruto\r\n21/11/2026;10,00\r\n")
})

test("a workbook keeps text as it is, and has amounts and counts as numbers", async () => {
  const rows = [
    ["000123", { reais: 1234.56 }, 3],
    ["=1+1", { reais: 0 }, 0],
    ["03/04", { reais: 0.1 }, 1],
    ["_x0041_", { reais: 1 }, 1],
  ]
  const file = await xlsxFile({ heads: ["Usuário", "Total", "Vendas"], rows })
  expect(file.type).toBe("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
  const book = await readXlsx(await bytesOf(file))
  expect(book.sheets[0]?.rows).toEqual([
    ["Usuário", "Total", "Vendas"],
    ["000123", 1234.56, 3],
    ["=1+1", 0, 0],
    ["03/04", 0.1, 1],
    ["_x0041_", 1, 1],
  ])
})
