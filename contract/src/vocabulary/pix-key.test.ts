import { assert, property, string } from "fast-check"
import { describe, expect, test } from "vitest"
import { isAmbiguousPixKey, parsePixKey, pixKeyText } from "./pix-key.ts"

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
  ["(11) 98765-4321", "phone", "+5511987654321"],
  ["11987654321", "phone", "+5511987654321"],
  ["11 98765-4321", "phone", "+5511987654321"],
  ["11 9 8765-4321", "phone", "+5511987654321"],
  ["(011) 98765-4321", "phone", "+5511987654321"],
  ["011987654321", "phone", "+5511987654321"],
  ["5511987654321", "phone", "+5511987654321"],
  ["(11) 3333-4444", "phone", "+551133334444"],
  ["1133334444", "phone", "+551133334444"],
  ["\u202a+55 11 98765\u20114321\u202c", "phone", "+5511987654321"],
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
    "10987654321",
    "(11) 8765-43210",
    "987654321",
    "119.876.543-21",
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

test("bare digits that are a right CPF and a mobile phone alike are the directory's CPF, and told to be ambiguous", () => {
  const both = "11900000083"
  expect(parsePixKey(both)).toEqual({ kind: "cpf", key: both })
  expect(isAmbiguousPixKey(both)).toBe(true)
  for (const clear of ["52998224725", "11987654321", "119.000.000-83", "(11) 90000-0083", "+5511900000083"]) {
    expect(isAmbiguousPixKey(clear)).toBe(false)
  }
})

test.for([
  ["+5511987654321", "(11) 98765-4321"],
  ["+551133334444", "(11) 3333-4444"],
  ["52998224725", "529.982.247-25"],
  ["12ABC34501DE35", "12.ABC.345/01DE-35"],
  ["ana@loja.example", "ana@loja.example"],
] as const)("%s is shown as %s, which is the same key", ([key, shown]) => {
  const parsed = parsePixKey(key)
  if (parsed === null) throw new Error(`${key} is no key`)
  expect(pixKeyText(parsed)).toBe(shown)
  expect(parsePixKey(shown)).toEqual(parsed)
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
