import { ambiguousPixKey } from "@tilinta/contract/vocabulary/pix-key"
import { expect, test } from "vitest"
import { pixKeyHint, unknownPixKey } from "./seller-texts.ts"

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
