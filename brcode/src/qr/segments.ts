type Mode = "byte" | "alphanumeric" | "numeric"

export interface Segment {
  mode: Mode
  text: string
}

interface ModeRules {
  indicator: number
  /** Width of the length field in symbols up to version 9, 26 and 40. */
  lengthBits: readonly [number, number, number]
}

const modes: readonly Mode[] = ["byte", "alphanumeric", "numeric"]
const rulesOf: Record<Mode, ModeRules> = {
  byte: { indicator: 4, lengthBits: [8, 16, 16] },
  alphanumeric: { indicator: 2, lengthBits: [9, 11, 13] },
  numeric: { indicator: 1, lengthBits: [10, 12, 14] },
}
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
const valueOf = new Int8Array(128).fill(-1)
for (let value = 0; value < alphabet.length; value++) valueOf[alphabet.charCodeAt(value)] = value

/** Costs are counted in sixths of a bit: three digits take ten bits, two letters eleven. */
const sixthsOf: Record<Mode, number> = { byte: 48, alphanumeric: 33, numeric: 20 }
const impossible = 1e9
const encoder = new TextEncoder()

export function modeIndicator(mode: Mode): number {
  return rulesOf[mode].indicator
}

export function lengthBits(mode: Mode, version: number): number {
  return rulesOf[mode].lengthBits[version < 10 ? 0 : version < 27 ? 1 : 2]
}

export function alphanumericValue(code: number): number {
  return valueOf[code] ?? -1
}

export function utf8(text: string): Uint8Array {
  return encoder.encode(text)
}

/** The segment's length as its header counts it: characters, or bytes in byte mode. */
export function countOf({ mode, text }: Segment): number {
  if (mode !== "byte") return text.length
  let sixths = 0
  for (let at = 0; at < text.length; at++) sixths += byteCost(text.charCodeAt(at))
  return sixths / 48
}

export function bitsOf(segment: Segment, version: number): number {
  const { mode } = segment
  return 4 + lengthBits(mode, version) + Math.ceil((countOf(segment) * sixthsOf[mode]) / 6)
}

/**
 * Splits the text into the fewest bits by dynamic programming: the best mode of a character depends on all that follow.
 */
export function splitText(text: string, version: number): Segment[] {
  const heads = modes.map((mode) => (4 + lengthBits(mode, version)) * 6)
  const [byteHead = 0, letterHead = 0, digitHead = 0] = heads
  const modesBefore = new Uint8Array(text.length)
  let byte = byteHead
  let letter = letterHead
  let digit = digitHead
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const value = code < 128 ? alphanumericValue(code) : -1
    byte += byteCost(code)
    letter += value === -1 ? impossible : sixthsOf.alphanumeric
    digit += value === -1 || value > 9 ? impossible : sixthsOf.numeric
    const byteEnd = wholeBits(byte)
    const letterEnd = wholeBits(letter)
    const digitEnd = wholeBits(digit)
    const beforeByte = cheapest(byte, letterEnd + byteHead, digitEnd + byteHead)
    const beforeLetter = cheapest(letter, byteEnd + letterHead, digitEnd + letterHead)
    const beforeDigit = cheapest(digit, byteEnd + digitHead, letterEnd + digitHead)
    modesBefore[at] = beforeByte | (other(1, beforeLetter) << 2) | (other(2, beforeDigit) << 4)
    byte = Math.min(byte, letterEnd + byteHead, digitEnd + byteHead)
    letter = Math.min(letter, byteEnd + letterHead, digitEnd + letterHead)
    digit = Math.min(digit, byteEnd + digitHead, letterEnd + digitHead)
  }
  return joined(text, modesBefore, cheapest(byte, letter, digit))
}

/** A surrogate is half of a four-byte character, so it costs two bytes. */
function byteCost(code: number): number {
  if (code < 0x80) return 48
  return code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 96 : 144
}

function wholeBits(cost: number): number {
  return cost + ((6 - (cost % 6)) % 6)
}

/** Index of the smallest; the first one on ties. */
function cheapest(first: number, second: number, third: number): number {
  if (first <= second && first <= third) return 0
  return second <= third ? 1 : 2
}

/** Translates a choice (0 stays, 1 and 2 are the other modes in order) into a mode's index among all three. */
function other(own: number, choice: number): number {
  return choice === 0 ? own : choice <= own ? choice - 1 : choice
}

/** Backtracks from the end: each entry holds the best mode of a character for every mode that may follow. */
function joined(text: string, modesBefore: Uint8Array, last: number): Segment[] {
  const segments: Segment[] = []
  let mode = last
  let end = text.length
  for (let at = text.length - 1; at >= 0; at--) {
    const before = ((modesBefore[at] ?? 0) >> (2 * mode)) & 3
    if (before !== mode && at + 1 < end) {
      segments.push({ mode: modes[mode] ?? "byte", text: text.slice(at + 1, end) })
      end = at + 1
    }
    mode = before
  }
  if (end > 0) segments.push({ mode: modes[mode] ?? "byte", text: text.slice(0, end) })
  return segments.toReversed()
}
