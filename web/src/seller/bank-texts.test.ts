import { expect, test } from "vitest"
import { pixKeyHint, unknownPixKey } from "./bank-texts.ts"

test("the hint names the kind of a key, and says so when it is none", () => {
  expect(pixKeyHint(" ")).toBeUndefined()
  expect(pixKeyHint("529.982.247-25")).toBe("Tipo da chave: CPF")
  expect(pixKeyHint("+5511987654321")).toBe("Tipo da chave: Telefone")
  expect(pixKeyHint("ana@exemplo.com")).toBe("Tipo da chave: E-mail")
  expect(pixKeyHint("11 98765-4321")).toBe(unknownPixKey)
})
