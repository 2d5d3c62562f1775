import { parsePhone } from "@tilinta/contract/vocabulary/typed-data"
import { assert, property, string } from "fast-check"
import { expect, test, vi } from "vitest"
import {
  caretAfterDigits,
  maskCnpj,
  maskCpf,
  maskDocument,
  masking,
  maskPhone,
  maskState,
  maskZipCode,
} from "./masks.ts"

test("a CPF grows its marks as it is typed", () => {
  expect(["5", "529", "5299", "529982", "529982247", "52998224725"].map(maskCpf)).toEqual([
    "5",
    "529",
    "529.9",
    "529.982",
    "529.982.247",
    "529.982.247-25",
  ])
})

test("a mobile number has five digits before the hyphen, a land line four", () => {
  expect(maskPhone("11987654321")).toBe("(11) 98765-4321")
  expect(maskPhone("1134567890")).toBe("(11) 3456-7890")
  expect(maskPhone("11")).toBe("(11")
})

test("a number from the contacts loses its country code", () => {
  expect(maskPhone("+55 11 98765-4321")).toBe("(11) 98765-4321")
  expect(maskPhone("55987654321")).toBe("(55) 98765-4321")
})

/** The field's text after all keys, each of which a browser adds at the end. */
function typedBy(mask: (text: string) => string, keys: string): string {
  return [...keys].reduce((shown, key) => mask(shown + key), "")
}

test.each([
  ["+5511987654321", "(11) 98765-4321"],
  ["+55 91 98765-4321", "(91) 98765-4321"],
  ["5511987654321", "(11) 98765-4321"],
  ["5591987654321", "(91) 98765-4321"],
  [" 11987654321", "(11) 98765-4321"],
  ["１１９８７６５４３２１", "(11) 98765-4321"],
])("a phone typed as %j, or put in at once, loses what isn't its own", (keys, shown) => {
  expect([typedBy(maskPhone, keys), maskPhone(keys)]).toEqual([shown, shown])
})

test.each([
  ["011 98765-4321", "11987654321"],
  ["015 91 98765-4321", "91987654321"],
  ["0xx11 3333-4444", "1133334444"],
  ["(0XX11) 3333-4444", "1133334444"],
  ["0055 11 98765-4321", "11987654321"],
  ["+34 911 234 567", null],
  ["+54 9 11 1234-5678", null],
])("%j stays as it is, never cut to another number", (keys, phone) => {
  expect(maskPhone(keys)).toBe(keys)
  expect([maskPhone(keys), typedBy(maskPhone, keys)].map(parsePhone)).toEqual([phone, phone])
})

test("a CNPJ is never cut to what might be somebody's CPF, and blanks cost no digit", () => {
  expect(maskCpf("11.222.333/0001-81")).toBe("11222333000181")
  expect(maskCpf(" 529.982.247-25")).toBe("529.982.247-25")
  expect(typedBy(maskCpf, " 52998224725")).toBe("529.982.247-25")
})

test("a CNPJ has its punctuation, with letters too", () => {
  expect(["11222333000181", "12abc34501de35", "12.ABC.345/0"].map(maskCnpj)).toEqual([
    "11.222.333/0001-81",
    "12.ABC.345/01DE-35",
    "12.ABC.345/0",
  ])
  expect(caretAfterDigits("12.ABC.3", 5)).toBe(6)
})

test("a document is a CPF while it may be one, and a CNPJ from the twelfth sign or the first letter on", () => {
  expect(["529982247", "52998224725", "112223330001", "12ABC34501DE35", "12a"].map(maskDocument)).toEqual([
    "529.982.247",
    "529.982.247-25",
    "11.222.333/0001",
    "12.ABC.345/01DE-35",
    "12.A",
  ])
})

test("a state is two capital letters, also of its name", () => {
  expect(["s1p", "rio", "São Paulo", "PARÁ"].map(maskState)).toEqual(["SP", "RI", "SP", "PA"])
})

test("nothing is rewritten while a keyboard composes", () => {
  const write = vi.fn<(text: string) => void>()
  const { onChange, onCompositionEnd } = masking(maskCpf, write)
  onChange({ target: { value: "5299" }, nativeEvent: { isComposing: true } })
  expect(write).not.toHaveBeenCalled()
  onCompositionEnd({ currentTarget: { value: "52998224725" } })
  onChange({ target: { value: "5299" } })
  expect(write.mock.calls).toEqual([["529.982.247-25"], ["529.9"]])
})

test("a postal code has its hyphen", () => {
  expect(maskZipCode("01310100")).toBe("01310-100")
})

test.each([
  ["cpf", maskCpf, 14],
  ["cnpj", maskCnpj, 18],
  ["phone", maskPhone, 20],
  ["zip code", maskZipCode, 9],
] as const)("the %s mask is stable, bounded and lets the last character be deleted", (_name, mask, maxLength) => {
  assert(
    property(string(), (text) => {
      const masked = mask(text)
      expect(mask(masked)).toBe(masked)
      expect(masked.length).toBeLessThanOrEqual(maxLength)
      if (masked !== "") expect(mask(masked.slice(0, -1)).length).toBeLessThan(masked.length)
    }),
  )
  assert(
    property(string({ unit: "grapheme-ascii", minLength: 20 }), (text) => {
      expect(mask(text.replace(/\D/g, "5")).length).toBeLessThanOrEqual(maxLength)
    }),
  )
})

test("the caret stays behind the digit just typed", () => {
  expect(caretAfterDigits("529.9", 4)).toBe(5)
  expect(caretAfterDigits("529.982", 0)).toBe(0)
  expect(caretAfterDigits("52", 9)).toBe(2)
})
