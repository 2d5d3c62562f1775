import { type Refusal, refuseAt } from "./refusal.ts"

/** Stored as offsets into the text, so that only the fields in use are cut out. */
export type DataObject = { tag: number; start: number; end: number }

const headerLength = 4

// With ASCII only, characters and bytes coincide, and the CRC catches every change of a single character.
export const printableAscii = /^[ -~]*$/

/**
 * A code's lengths count characters, as the manual says, or bytes of UTF-8. In ASCII both coincide. An emoji is two
 * characters in some languages, such as this one, and one code point in others.
 */
export type Unit = "characters" | "code points" | "bytes"

export function readDataObjects(text: string, from: number, to: number, unit: Unit): DataObject[] | Refusal {
  const objects: DataObject[] = []
  let index = from
  while (index < to) {
    const tag = twoDigits(text, index, to)
    if (tag === -1) return refuseAt("BAD_TAG", index)
    const length = twoDigits(text, index + 2, to)
    const start = index + headerLength
    const end = unit === "characters" ? start + length : afterUnits(text, { start, length, unit })
    if (length < 1 || end > to) return refuseAt("BAD_LENGTH", index)
    if (hasDataObject(objects, tag)) return refuseAt("DUPLICATE_TAG", index)
    objects.push({ tag, start, end })
    index = end
  }
  return objects
}

/** The position after so many of them; past the end of every text where bytes would cut a character. */
function afterUnits(text: string, { start, length, unit }: { start: number; length: number; unit: Unit }): number {
  let index = start
  let left = length
  while (left > 0 && index < text.length) {
    const code = text.codePointAt(index) ?? 0
    left -= unit === "code points" ? 1 : bytesOf(code)
    index += code < 0x10000 ? 1 : 2
  }
  return left === 0 ? index : Infinity
}

function bytesOf(code: number): number {
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}

export function findValue(text: string, objects: DataObject[], tag: number): string | undefined {
  for (const object of objects) if (object.tag === tag) return text.slice(object.start, object.end)
  return undefined
}

export function writeDataObject(tag: string, value: string): string {
  return `${tag}${value.length < 10 ? "0" : ""}${value.length}${value}`
}

function hasDataObject(objects: DataObject[], tag: number): boolean {
  for (const object of objects) if (object.tag === tag) return true
  return false
}

function twoDigits(text: string, index: number, to: number): number {
  if (index + 2 > to) return -1
  const tens = text.charCodeAt(index) - 48
  const units = text.charCodeAt(index + 1) - 48
  return tens >= 0 && tens <= 9 && units >= 0 && units <= 9 ? tens * 10 + units : -1
}

const byteAlone = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1
  return crc
})
const oneByteBefore = shifted(byteAlone)
const twoBytesBefore = shifted(oneByteBefore)
const threeBytesBefore = shifted(twoBytesBefore)

const encoder = new TextEncoder()

/** Fits the longest code, 512 characters in UTF-8. Reused: each call overwrites it. */
const bytes = new Uint8Array(512 * 3)

/** CRC16-CCITT-FALSE of a text of up to 512 characters, as the four upper-case digits of field 63. */
export function crc16Digits(text: string): string {
  const crc = crc16(encoder.encodeInto(text, bytes).written)
  const digits = crc.toString(16).toUpperCase()
  return digits.length === 4 ? digits : digits.padStart(4, "0")
}

/** Processes four bytes per step: bytewise, each step would wait for the one before. */
function crc16(length: number): number {
  let crc = 0xffff
  let index = 0
  for (; index + 4 <= length; index += 4) {
    crc =
      at(threeBytesBefore, (crc >> 8) ^ at(bytes, index)) ^
      at(twoBytesBefore, (crc & 0xff) ^ at(bytes, index + 1)) ^
      at(oneByteBefore, at(bytes, index + 2)) ^
      at(byteAlone, at(bytes, index + 3))
  }
  for (; index < length; index++) crc = ((crc << 8) & 0xffff) ^ at(byteAlone, (crc >> 8) ^ at(bytes, index))
  return crc
}

function shifted(table: Uint16Array): Uint16Array {
  return table.map((crc) => (crc << 8) ^ at(byteAlone, crc >> 8))
}

function at(numbers: Uint8Array | Uint16Array, index: number): number {
  return numbers[index] ?? 0
}

const longestAmount = 13

/** Field 54 holds at most ten digits before the point. */
export const maxAmountCents = 999_999_999_999

/** The manual also allows "10", "10." and ".10"; cents are parsed without passing through a float. */
export function parseAmountCents(amount: string): number | undefined {
  if (amount.length > longestAmount || amount === ".") return undefined
  const parts = /^(\d*)(?:\.(\d{0,2}))?$/.exec(amount)
  if (parts === null) return undefined
  const [, reais = "", cents = ""] = parts
  return Number(reais) * 100 + Number(cents.padEnd(2, "0"))
}

export function hasTwoDecimals(amount: string): boolean {
  return amount.length > 3 && amount.indexOf(".") === amount.length - 3
}

export function formatAmount(amountCents: number): string {
  const cents = amountCents % 100
  return `${(amountCents - cents) / 100}.${cents < 10 ? "0" : ""}${cents}`
}

/** The manual leaves https:// out of the code: the payer's bank adds it. */
export function hasScheme(url: string | undefined): boolean {
  return url !== undefined && /^[a-z][a-z0-9+.-]*:\/\//i.test(url)
}
