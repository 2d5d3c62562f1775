import { expect, test } from "vitest"
import { bankKeyOf, banks, bankText, findBank } from "./banks.ts"

test.each([
  [
    "341",
    ["Itaú", "341", "Itau Unibanco", "341 - Itaú", "ITAÚ UNIBANCO S.A.", "Banco Itaú", "0341", "60701190", "itau  s/a"],
  ],
  ["001", ["Banco do Brasil", "BB", "1", "001", "BCO DO BRASIL S.A.", "00000000", "001 - BANCO DO BRASIL"]],
  ["104", ["Caixa", "CEF", "Caixa Econômica Federal", "104", "caixa economica federal"]],
  ["260", ["Nubank", "Nu Pagamentos", "NU PAGAMENTOS - IP", "260", "Nu", "Banco Nubank"]],
  ["237", ["Bradesco", "Banco Bradesco S.A.", "237 - BCO BRADESCO S.A."]],
  ["033", ["Santander", "Banco Santander (Brasil) S.A.", "33"]],
  ["077", ["Inter", "Banco Inter", "BANCO INTER S/A", "77"]],
])("%s is found by each of its spellings", (code, spellings) => {
  expect(spellings.map((text) => findBank(text)?.code)).toEqual(spellings.map(() => code))
})

test.each(["", "Banco", "Banco da Vovó", "999", "12345"])("%j is no bank", (text) => {
  expect(findBank(text)).toBeNull()
})

test("banks with alike names stay apart, and an unknown one keeps its own name, folded", () => {
  expect(findBank("Banco Itaú BBA S.A.")?.code).toBe("184")
  expect(findBank("Banco Itaú Consignado S.A.")?.code).toBe("029")
  expect(bankKeyOf("  Banco da Vovó ")).toBe(bankKeyOf("BANCO DA VOVO"))
  expect(bankKeyOf("Banco da Vovó")).not.toBe(bankKeyOf("Banco do Vovô"))
})

test("each bank of the list is found by the text that the forms offer", () => {
  expect(banks.length).toBeGreaterThan(400)
  expect(banks.filter((bank) => findBank(bankText(bank)) !== bank).map(bankText)).toEqual([])
})
