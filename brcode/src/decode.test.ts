import { assert, constantFrom, integer, property, string } from "fast-check"
import { describe, expect, test } from "vitest"
import { decodeBrCode } from "./decode.ts"
import { invalidVectors, validVectors } from "./test-vectors.ts"
import { crc16Digits } from "./tlv.ts"

const pix = "26330014br.gov.bcb.pix011112345678909"
const dynamicPix = "26390014br.gov.bcb.pix2517pix.example.com/a"
const rest = "5802BR5913FULANO DE TAL6008BRASILIA"
const additional = "62070503***"

function sealed(body: string): string {
  return `${body}6304${crc16Digits(`${body}6304`)}`
}

function codeWith(parts: { start?: string; account?: string; amount?: string; names?: string; end?: string }): string {
  const { start = "000201", account = pix, amount = "", names = rest, end = additional } = parts
  return sealed(`${start}${account}520400005303986${amount}${names}${end}`)
}

function reasonOf(text: string): string | undefined {
  const result = decodeBrCode(text)
  return result.valid ? undefined : result.reason
}

function codeOf(text: string) {
  const result = decodeBrCode(text)
  if (!result.valid) throw new Error(result.error)
  return result.code
}

describe("the vectors", () => {
  test("are all here", () => {
    expect(validVectors.length).toBe(30)
    expect(invalidVectors.length).toBe(15)
  })

  test.each(validVectors)("$id decodes to its fields", ({ payload, fields, lint }) => {
    const { amountCents, ...code } = codeOf(payload)
    expect(code).toEqual({ ...fields, lint })
    const { amount } = fields
    expect(amountCents).toBe(amount === undefined ? undefined : Math.round(Number(amount) * 100))
  })

  test.each(invalidVectors)("$id is refused for its reason", ({ payload, error }) => {
    const [, reason, position] = /^([A-Z_]+)(?:@root:(\d+))?/.exec(error) ?? []
    const result = decodeBrCode(payload)
    expect(result).toMatchObject({ valid: false, reason })
    if (position !== undefined)
      expect(result).toHaveProperty("error", expect.stringMatching(`posição ${+position + 1}$`))
  })
})

/** The fields that decide to whom how much goes. */
function whatPays(text: string): string {
  const { kind, key, url, urlRec, amount, amountCents, pointOfInitiation, currency, crc } = codeOf(text)
  return JSON.stringify({ kind, key, url, urlRec, amount, amountCents, pointOfInitiation, currency, crc })
}

describe("a single changed character", () => {
  const characters = Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code))
  characters.push("–", "최", "\u2028", "\ud83d", "\udc4d", "👍", "\uffff")

  test.each(validVectors)("$id is refused when any one changes", ({ payload }) => {
    const survivors: string[] = []
    for (let index = 0; index < payload.length; index++) {
      for (const character of characters) {
        if (character === payload[index]) continue
        const changed = payload.slice(0, index) + character + payload.slice(index + 1)
        if (decodeBrCode(changed).valid) survivors.push(changed)
      }
    }
    const crc = payload.slice(-4)
    const hasOneLetter = crc.replace(/\d/g, "").length === 1
    const otherCase = crc === crc.toUpperCase() ? crc.toLowerCase() : crc.toUpperCase()
    // Beyond ASCII a character is several bytes, which a CRC may miss: only in texts, and never without a lint.
    const harmful = survivors.filter((changed) => whatPays(changed) !== whatPays(payload))
    expect(harmful).toEqual(hasOneLetter ? [payload.slice(0, -4) + otherCase] : [])
    const decorated = survivors.filter((changed) => !harmful.includes(changed))
    const silent = decorated.filter((changed) => !codeOf(changed).lint.some((lint) => lint.endsWith("-chars")))
    expect(silent).toEqual([])
    expect(decorated.length).toBeLessThan(8)
  })
})

describe("the CRC", () => {
  const code = codeWith({ end: "62120508TESTE000" })

  test("covers its own identifier and length and is four upper-case digits", () => {
    expect(crc16Digits("123456789")).toBe("29B1")
    expect(crc16Digits("")).toBe("FFFF")
  })

  test("may be wholly lower-case, never mixed", () => {
    const lettered = validVectors.find(({ id }) => id === "bcb-manual-dynamic-cob")?.payload.replace("64E4", "") ?? ""
    expect(codeOf(`${lettered}64e4`).lint).toEqual(["crc-lowercase"])
    const mixed = validVectors.find(({ id }) => id === "bcb-sandbox-rec-only")?.payload.replace("1AD9", "") ?? ""
    expect(reasonOf(`${mixed}1aD9`)).toBe("CRC_MISMATCH")
    expect(reasonOf(`${mixed}1Ad9`)).toBe("CRC_MISMATCH")
  })

  test("allows nothing around the code", () => {
    expect(codeOf(code).txid).toBe("TESTE000")
    for (const around of [" ", "\n", "\r", "\0", "\ufeff", "0", "00"]) {
      expect(decodeBrCode(around + code).valid).toBe(false)
      expect(decodeBrCode(code + around).valid).toBe(false)
    }
  })
})

describe("structure", () => {
  test.each([
    ["EMPTY", ""],
    ["BAD_TAG", "x"],
    ["BAD_LENGTH", "0002"],
    ["BAD_LENGTH", "00"],
    ["BAD_LENGTH", "0000"],
    ["BAD_LENGTH", codeWith({ amount: "5400" })],
    ["BAD_FORMAT", sealed(`010211000201${pix}520400005303986${rest}${additional}`)],
    ["BAD_FORMAT", codeWith({ start: "000202" })],
    ["BAD_FORMAT", codeWith({ start: "" })],
    ["DUPLICATE_TAG", codeWith({ amount: "54041.0054049.00" })],
    ["DUPLICATE_TAG", codeWith({ account: "26480014br.gov.bcb.pix011112345678909011112345678909" })],
    ["DUPLICATE_TAG", codeWith({ end: "62140503***0503***" })],
    ["SEVERAL_PIX", codeWith({ account: `${pix}${pix.replace("26", "27")}` })],
    ["NO_GUI", codeWith({ account: `${pix}27050101a` })],
    ["BAD_TAG", codeWith({ account: `${pix}2703abc` })],
    ["NO_KEY_NOR_URL", codeWith({ account: "26180014br.gov.bcb.pix" })],
    ["BAD_INITIATION", codeWith({ start: "000201010213" })],
    ["TOO_LONG", codeWith({ end: ["64", "65", "66", "67"].map((tag) => `${tag}99${"a".repeat(99)}`).join("") })],
    ["CRC_NOT_LAST", `${codeWith({}).slice(0, -8)}630312A`],
  ])("%s: %s", (reason, text) => {
    expect(reasonOf(text)).toBe(reason)
  })

  test.each([
    ["BAD_MCC", `000201${pix}5303986${rest}${additional}`],
    ["BAD_MCC", `000201${pix}5204000a5303986${rest}${additional}`],
    ["BAD_CURRENCY", `000201${pix}52040000${rest}${additional}`],
    ["BAD_CURRENCY", `000201${pix}520400005303840${rest}${additional}`],
    ["BAD_COUNTRY", `000201${pix}5204000053039865913FULANO DE TAL6008BRASILIA`],
    ["MISSING_MERCHANTCITY", `000201${pix}5204000053039865802BR5913FULANO DE TAL`],
    ["MISSING_MERCHANTNAME", `000201${pix}5204000053039865802BR5901 6008BRASILIA`],
    ["BAD_TXID", `000201${pix}520400005303986${rest}62300526${"A".repeat(26)}`],
    ["BAD_CHARACTER", `000201${pix.replace("12345678909", "joão@exempl")}5204000053039865802BR5901A6008BRASILIA`],
    ["BAD_CHARACTER", `000201${dynamicPix.replace("example", "exãmple")}520400005303986${rest}${additional}`],
    ["BAD_CHARACTER", `000201${pix}520400005303986${rest}62080504aç\u200bó`],
    ["BAD_CURRENCY", `000201${pix}52040000530398٦${rest}${additional}`],
    ["BAD_AMOUNT", `000201${pix}5204000053039865404١.005802BR5901A6008BRASILIA`],
    ["BAD_CHARACTER", `000201${pix}5204000053039865802BR5904Jo\u202eo6008BRASILIA`],
    ["BAD_CHARACTER", `000201${pix}5204000053039865802BR5904Jo\u200bo6008BRASILIA`],
    ["BAD_CHARACTER", `000201${pix}5204000053039865802BR5904Jo\0o6008BRASILIA`],
    ["BAD_CHARACTER", `000201${pix}5204000053039865802BR5904Jo\ud83do6008BRASILIA`],
  ])("%s although the CRC is right: %s", (reason, body) => {
    expect(reasonOf(sealed(body))).toBe(reason)
  })

  test.each([
    ["an accented name", "5916Padaria São João6009SAO PAULO", ["name-chars"]],
    ["an accented city", "5901A6009São Paulo", ["city-chars"]],
    ["an accent of its own character", "5905Joa\u0303o6008BRASILIA", ["name-chars"]],
    ["a long name", `5926${"A".repeat(26)}6008BRASILIA`, ["name-length"]],
    ["a long city", "5901A6019SAO JOSE DOS CAMPOS", ["city-length"]],
    [
      "both, long and accented",
      `5930${"Ã".repeat(30)}6020${"ç".repeat(20)}`,
      ["name-chars", "name-length", "city-chars", "city-length"],
    ],
  ])("a code with %s is read with a lint", (_name, names, lint) => {
    const code = codeOf(codeWith({ account: dynamicPix, names: `5802BR${names}` }))
    expect(code).toMatchObject({ kind: "dynamic-cob", lint })
  })

  const field = (tag: string, value: string, length = value.length) =>
    `${tag}${String(length).padStart(2, "0")}${value}`
  const bytes = (tag: string, value: string) => field(tag, value, Buffer.byteLength(value))
  /** With these texts in 26-02, 59, 60, 61 and 62, and with lengths that count characters or bytes. */
  function texts(lengths: typeof field, [info, name, city, zip, label]: [string, string, string, string, string]) {
    const account = lengths("26", `0014br.gov.bcb.pix0114+5511987654321${info && lengths("02", info)}`)
    const names = `5802BR${lengths("59", name)}${lengths("60", city)}${zip && lengths("61", zip)}`
    return sealed(`000201${account}520400005303986${names}${lengths("62", `0503***${label && lengths("07", label)}`)}`)
  }

  test.each([
    ["the payment's information", ["Mensalidade março (3ª)", "LOJA", "RECIFE", "", ""], ["text-chars"]],
    ["quotes and dashes of a phone", ["“Família” – d’Ouro €", "LOJA", "RECIFE", "", ""], ["text-chars"]],
    ["an emoji", ["Bolo 🎂", "LOJA", "RECIFE", "", ""], ["text-chars"]],
    ["the terminal's label", ["", "LOJA", "RECIFE", "", "Balcão"], ["text-chars"]],
    [
      "all texts",
      ["Março", "São João", "São Paulo", "01310‑100", "Balcão"],
      ["name-chars", "city-chars", "text-chars"],
    ],
  ] as const)("accents in %s are read with a lint, whatever lengths count", (_name, [...values], lint) => {
    const [info, name, city, zip] = values
    const read = {
      infoAdicional: info || undefined,
      merchantName: name,
      merchantCity: city,
      postalCode: zip || undefined,
    }
    expect(codeOf(texts(field, values))).toMatchObject({ ...read, key: "+5511987654321", lint })
    expect(codeOf(texts(bytes, values))).toMatchObject({
      ...read,
      key: "+5511987654321",
      lint: [...lint, "byte-lengths"],
    })
  })

  test("an accent in the identifier is read with a lint", () => {
    expect(codeOf(codeWith({ end: "62080504açãó" }))).toMatchObject({
      ...{ txid: "açãó", lint: ["txid-chars", "text-chars"] },
    })
  })

  test("the code of the report is read", () => {
    const code =
      "00020126620014br.gov.bcb.pix0114+55119876543210222Mensalidade março (3ª)5204000053039865802BR5915LOJA DA ESQUINA6009SAO PAULO62070503***63047279"
    expect(codeOf(code)).toMatchObject({ infoAdicional: "Mensalidade março (3ª)", lint: ["text-chars"] })
  })

  test.each(["06", "07", "09"])("an emoji is one character, two, or four bytes: %s", (length) => {
    const names = `5802BR59${length}Bolo 🎂6008BRASILIA`
    expect(codeOf(codeWith({ account: dynamicPix, names }))).toMatchObject({ merchantName: "Bolo 🎂" })
  })

  test.each([
    ["5904Joã6008BRASILIA", true],
    ["5903Joã6008BRASÍLIA", true],
    ["5904Joã6009BRASÍLIA", true],
    ["5903Joã6009BRASÍLIA", false],
    ["5904Joã6008BRASÍLIA", false],
    ["5902Joã6008BRASILIA", false],
  ])("lengths count one thing throughout: %s", (names, isRead) => {
    const code = codeWith({ account: dynamicPix, names: `5802BR${names}` })
    expect(decodeBrCode(code).valid).toBe(isRead)
  })

  test("a code without field 62 is read", () => {
    expect(codeOf(codeWith({ end: "" }))).toMatchObject({ kind: "static", lint: ["no-62-05"] })
  })
})

describe("the amount", () => {
  const withAmount = (amount: string, account = pix) =>
    codeWith({ account, amount: `54${String(amount.length).padStart(2, "0")}${amount}` })

  test.each([
    ["10", 1000],
    ["10.", 1000],
    [".10", 10],
    ["0.10", 10],
    ["0.1", 10],
    ["1.15", 115],
    ["9999999999.99", 999_999_999_999],
    ["9999999999999", 999_999_999_999_900],
  ])("%s is %i cents", (amount, amountCents) => {
    expect(codeOf(withAmount(amount))).toMatchObject({ amount, amountCents })
  })

  test.each([".", "1.005", "1e3", "+1", " 1", "0x10", "١", "Infinity", "12345678901.00"])("%s is refused", (amount) => {
    expect(reasonOf(withAmount(amount))).toMatch(/^BAD_(AMOUNT|CHARACTER)$/)
  })

  test("of zero is tolerated only where the payer's bank ignores it", () => {
    expect(reasonOf(withAmount("0.00"))).toBe("BAD_AMOUNT")
    expect(codeOf(withAmount("0.00", dynamicPix))).toMatchObject({ amountCents: 0, lint: ["amount-in-dynamic"] })
  })
})

test("whatever the text, decoding answers and never throws", () => {
  const text = string({ unit: "binary", maxLength: 600 })
  const broken = constantFrom("\0", "\ud83d", "\udc4d", "👍", "63", "6304", "")
  assert(
    property(text, broken, integer({ min: 0, max: 200 }), (noise, piece, index) => {
      const code = validVectors[index % validVectors.length]?.payload ?? ""
      const inserted = code.slice(0, index) + piece + noise.slice(0, index) + code.slice(index)
      expect(decodeBrCode(noise).valid).toBe(false)
      expect(decodeBrCode(inserted).valid).toBe(inserted === code)
      expect(decodeBrCode(sealed(noise)).valid).toBe(false)
    }),
  )
})
