import {
  type Arbitrary,
  assert,
  boolean,
  constant,
  integer,
  oneof,
  option,
  property,
  record,
  string,
  stringMatching,
} from "fast-check"
import { expect, test } from "vitest"
import { decodeBrCode } from "./decode.ts"
import { BrCodeError, encodeDynamic, encodeRecurrence, encodeStatic, foldText } from "./encode.ts"
import { validVectors } from "./test-vectors.ts"

const amountCents = integer({ min: 1, max: 999_999_999_999 })
const postalCode = stringMatching(/^\d{8}$/)
const printable = (maxLength: number) => stringMatching(new RegExp(`^[!-~]{1,${maxLength}}$`))
const anyName = oneof(string({ unit: "grapheme", maxLength: 40 }), stringMatching(/^[ A-Za-zÀ-ú0-9.,&@-]{1,40}$/))
const name = anyName.filter((text) => foldText(text, 15) !== "")

function optional<T>(value: Arbitrary<T>): Arbitrary<T | undefined> {
  return option(value, { nil: undefined })
}

const isRegistered = (key: string) => !key.includes("@") && !/^[\dA-Za-z]{12}\d{2}$/.test(key)

const staticCode = record({
  key: printable(77).filter(isRegistered),
  merchantName: name,
  merchantCity: name,
  amountCents: optional(amountCents),
  txid: optional(oneof(stringMatching(/^[A-Za-z0-9]{1,25}$/), constant("***"))),
  additionalInfo: optional(anyName),
  postalCode: optional(postalCode),
})

const address = printable(77).filter((url) => !url.includes("://"))

const dynamicCode = record({
  url: address,
  urlRec: optional(address),
  merchantName: name,
  merchantCity: name,
  amountCents: optional(amountCents),
  postalCode: optional(postalCode),
  singleUse: optional(boolean()),
})

function decoded(text: string) {
  const result = decodeBrCode(text)
  if (!result.valid) throw new Error(`${result.error}: ${text}`)
  return result.code
}

function example(overrides: object = {}) {
  return { key: "12345678909", merchantName: "FULANO DE TAL", merchantCity: "BRASILIA", ...overrides }
}

function reais(cents: number | undefined): string | undefined {
  return cents === undefined ? undefined : `${BigInt(cents) / 100n}.${String(cents % 100).padStart(2, "0")}`
}

test("a static code says what was written", () => {
  assert(
    property(staticCode, (input) => {
      const space = Math.min(72, 99 - 18 - 4 - input.key.length - 4)
      const info = space > 0 ? foldText(input.additionalInfo ?? "", space) : ""
      expect(decoded(encodeStatic(input))).toEqual({
        kind: "static",
        payloadFormatIndicator: "01",
        merchantAccountTag: "26",
        gui: "br.gov.bcb.pix",
        key: input.key,
        infoAdicional: info === "" ? undefined : info,
        mcc: "0000",
        currency: "986",
        country: "BR",
        amount: reais(input.amountCents),
        amountCents: input.amountCents,
        merchantName: foldText(input.merchantName, 25),
        merchantCity: foldText(input.merchantCity, 15),
        postalCode: input.postalCode,
        txid: input.txid ?? "***",
        crc: expect.stringMatching(/^[0-9A-F]{4}$/),
        lint: [],
      })
    }),
  )
})

test("a dynamic code says what was written", () => {
  assert(
    property(dynamicCode, (input) => {
      const charge = input.url.includes("/cobv/") ? "dynamic-cobv" : "dynamic-cob"
      expect(decoded(encodeDynamic(input))).toEqual({
        kind: input.urlRec === undefined ? charge : `composite:${charge}`,
        payloadFormatIndicator: "01",
        pointOfInitiation: input.singleUse === false ? undefined : "12",
        merchantAccountTag: "26",
        gui: "br.gov.bcb.pix",
        url: input.url,
        unreservedTag: input.urlRec && "80",
        urlRec: input.urlRec,
        mcc: "0000",
        currency: "986",
        country: "BR",
        amount: reais(input.amountCents),
        amountCents: input.amountCents,
        merchantName: foldText(input.merchantName, 25),
        merchantCity: foldText(input.merchantCity, 15),
        postalCode: input.postalCode,
        txid: "***",
        crc: expect.stringMatching(/^[0-9A-F]{4}$/),
        lint: input.amountCents === undefined ? [] : ["amount-in-dynamic"],
      })
    }),
  )
})

test("a code that only authorises a recurrence asks for no money", () => {
  assert(
    property(record({ urlRec: address, merchantName: name, merchantCity: name }), (input) => {
      const code = decoded(encodeRecurrence(input))
      expect(code).toMatchObject({ kind: "rec-only", urlRec: input.urlRec, txid: "***", lint: [] })
      expect([code.url, code.key, code.amount]).toEqual([undefined, undefined, undefined])
    }),
  )
})

test("what was decoded is written again in the same letters", () => {
  assert(
    property(staticCode, (input) => {
      const text = encodeStatic(input)
      const { key, merchantName, merchantCity, txid, infoAdicional, postalCode, amountCents } = decoded(text)
      const again = { key, merchantName, merchantCity, txid, additionalInfo: infoAdicional, postalCode, amountCents }
      expect(encodeStatic({ ...again, key: key ?? "" })).toBe(text)
    }),
  )
})

test("any single changed character of a written code is refused", () => {
  const character = oneof(string({ unit: "binary", minLength: 1, maxLength: 1 }), stringMatching(/^[ -~]$/))
  assert(
    property(
      oneof(staticCode.map(encodeStatic), dynamicCode.map(encodeDynamic)),
      integer(),
      character,
      (text, at, by) => {
        const index = (at >>> 0) % text.length
        const changed = text.slice(0, index) + by + text.slice(index + 1)
        const isLowerCaseCrc = changed === text.slice(0, -4) + text.slice(-4).toLowerCase()
        if (changed !== text && !isLowerCaseCrc) expect(decodeBrCode(changed).valid).toBe(false)
      },
    ),
    { numRuns: 3000 },
  )
})

test("the vectors that we could have written are written in the same letters", () => {
  const write = new Map<string, string>([
    ["gen-static-cpf", encodeStatic(example({ amountCents: 1000, txid: "PEDIDO0001" }))],
    ["gen-static-cnpj-alfanumerico", encodeStatic(example({ key: "12ABC34501DE35", amountCents: 100 }))],
    ["gen-static-phone", encodeStatic(example({ key: "+5561912345678", amountCents: 6666 }))],
    ["gen-static-info-max-cpf", encodeStatic(example({ additionalInfo: "I".repeat(72) }))],
    ["gen-crc-two-leading-zeros", encodeStatic(example({ amountCents: 100, txid: "Z170" }))],
    [
      "bcb-manual-dynamic-cob",
      encodeDynamic({
        url: "https://pix.example.com/8b3da2f39a4140d1a91abd93113bd441",
        merchantName: "Fulano de Tal",
        merchantCity: "BRASILIA",
      }),
    ],
    [
      "bcb-sandbox-composite-dynamic",
      encodeDynamic({
        url: "qr-h.sandbox.pix.bcb.gov.br/rest/api/v2/7b2d64c4eb744a2d92a4dd5f8cfc4dfa",
        urlRec: "https://qr-h.sandbox.pix.bcb.gov.br/rest/api/rec/3d29b94249c54b3f8c533d729f59b5e5",
        merchantName: "FULANO DE TAL",
        merchantCity: "BRASILIA",
      }),
    ],
    [
      "bcb-sandbox-rec-only",
      encodeRecurrence({
        urlRec: "qr-h.sandbox.pix.bcb.gov.br/rest/api/rec/5ee5232ead29422396b44f5eb67180d6",
        merchantName: "Fulano de Tal",
        merchantCity: "BRASILIA",
      }),
    ],
  ])
  for (const [id, text] of write) expect(text).toBe(validVectors.find((vector) => vector.id === id)?.payload)
})

test.each([
  ["EVP", 36, 37],
  ["phone or CNPJ", 14, 59],
  ["CPF", 11, 62],
  ["the shortest", 1, 72],
  ["the longest with space", 72, 1],
])("next to a key like %s the information is cut to what the template holds", (_, keyLength, space) => {
  const text = encodeStatic(example({ key: "a".repeat(keyLength), additionalInfo: "I".repeat(100) }))
  expect(decoded(text).infoAdicional).toBe("I".repeat(space))
})

test("next to a key that fills the template the information is dropped", () => {
  for (const keyLength of [73, 77]) {
    const text = encodeStatic(example({ key: "a".repeat(keyLength), additionalInfo: "Pedido" }))
    expect(decoded(text).infoAdicional).toBeUndefined()
  }
})

test("names are folded to plain letters and only then cut", () => {
  const text = encodeStatic(
    example({ merchantName: "  Padaria  São João & Cia. Ltda ME ", merchantCity: "São José dos Campos" }),
  )
  expect(decoded(text)).toMatchObject({ merchantName: "Padaria Sao Joao Cia. Ltd", merchantCity: "Sao Jose dos Ca" })
})

test("a CEP may be given with its hyphen", () => {
  expect(decoded(encodeStatic(example({ postalCode: "70074-900" }))).postalCode).toBe("70074900")
})

test.each([
  ["12.ABC.345/01DE-35", "12ABC34501DE35"],
  ["12abc34501de35", "12ABC34501DE35"],
  ["12.abc.345/01de-35", "12ABC34501DE35"],
  ["11.222.333/0001-81", "11222333000181"],
  ["529.982.247-25", "52998224725"],
  ["+55 (11) 98765-4321", "+5511987654321"],
  ["Ana@Loja.Example", "ana@loja.example"],
  ["71CDF9BA-C695-4E3C-B010-ABB521A3F1BE", "71cdf9ba-c695-4e3c-b010-abb521a3f1be"],
  [" 52998224725 ", "52998224725"],
])("the key %j is written as the directory keeps it: %s", (key, written) => {
  expect(decoded(encodeStatic(example({ key }))).key).toBe(written)
})

test.each([
  { key: "" },
  { key: "a".repeat(78) },
  { key: "joão@example.test" },
  { key: "a b" },
  { txid: "" },
  { txid: "A-1" },
  { txid: "A".repeat(26) },
  { txid: "**" },
  { amountCents: 0 },
  { amountCents: -1 },
  { amountCents: 1.5 },
  { amountCents: Number.NaN },
  { amountCents: 1_000_000_000_000 },
  { merchantName: "" },
  { merchantName: "株式会社" },
  { merchantCity: " & " },
  { postalCode: "123" },
])("a static code cannot hold %o", (overrides) => {
  expect(() => encodeStatic(example(overrides))).toThrow(BrCodeError)
})

test.each(["", "https://", "http://pix.example.com/a", "pix.example.com/a b", `pix.example.com/${"a".repeat(62)}`])(
  "a dynamic code cannot hold the address %o",
  (url) => {
    expect(() => encodeDynamic({ url, merchantName: "Fulano", merchantCity: "Brasilia" })).toThrow(BrCodeError)
  },
)
