import { assert, property, string } from "fast-check"
import { expect, test } from "vitest"
import {
  CPF_MAX_LENGTH,
  caretAfterDigits,
  maskCpf,
  maskPhone,
  maskZipCode,
  PHONE_MAX_LENGTH,
  ZIP_CODE_MAX_LENGTH,
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

test("a number from the contacts loses its country code and leading zero", () => {
  expect(maskPhone("+55 11 98765-4321")).toBe("(11) 98765-4321")
  expect(maskPhone("011 98765-4321")).toBe("(11) 98765-4321")
  expect(maskPhone("55987654321")).toBe("(55) 98765-4321")
})

test("a postal code has its hyphen", () => {
  expect(maskZipCode("01310100")).toBe("01310-100")
})

test.each([
  ["cpf", maskCpf, CPF_MAX_LENGTH],
  ["phone", maskPhone, PHONE_MAX_LENGTH],
  ["zip code", maskZipCode, ZIP_CODE_MAX_LENGTH],
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
