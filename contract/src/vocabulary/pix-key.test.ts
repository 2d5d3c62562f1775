import { assert, property, string } from "fast-check"
import { describe, expect, test } from "vitest"
import { parsePixKey } from "./pix-key.ts"

test.for([
  ["52998224725", "cpf", "52998224725"],
  ["529.982.247-25", "cpf", "52998224725"],
  ["11222333000181", "cnpj", "11222333000181"],
  ["11.222.333/0001-81", "cnpj", "11222333000181"],
  ["12.ABC.345/01DE-35", "cnpj", "12ABC34501DE35"],
  ["12abc34501de35", "cnpj", "12ABC34501DE35"],
  [" Ana@Loja.Example ", "email", "ana@loja.example"],
  ["+5511987654321", "phone", "+5511987654321"],
  ["+55 (11) 98765-4321", "phone", "+5511987654321"],
  ["+551133334444", "phone", "+551133334444"],
  ["123E4567-E89B-12D3-A456-426614174000", "evp", "123e4567-e89b-12d3-a456-426614174000"],
] as const)("W12: %s is a key of kind %s", ([typed, kind, key]) => {
  expect(parsePixKey(typed)).toEqual({ kind, key })
})

describe("W12: what is no key", () => {
  test.for([
    "",
    "52998224724",
    "11111111111",
    "529.98224725",
    "11222333000180",
    "12ABC34501DE34",
    "00000000000000",
    "12.ABC.345/01DE35",
    "+5511987654321\n+5511987654322",
    "11987654321",
    "+1 202 555 0143",
    "+55119",
    "ana@loja",
    "ana@@loja.example",
    "<b>ana</b>@loja.example",
    "ana\n@loja.example",
    "123e4567e89b12d3a456426614174000",
    `${"a".repeat(70)}@loja.example`,
    "a".repeat(78),
  ])("%j", (typed) => {
    expect(parsePixKey(typed)).toBeNull()
  })
})

// A normalised key must parse to itself, so that storing and sending it again changes nothing.
test("a normalised key is a fixed point", () => {
  assert(
    property(string({ unit: "grapheme" }), (typed) => {
      const parsed = parsePixKey(typed)
      if (parsed !== null) expect(parsePixKey(parsed.key)).toEqual(parsed)
    }),
  )
})
