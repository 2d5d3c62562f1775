/**
 * A DEFLATE stream (RFC 1951) of one block with a fixed Huffman code, tuned for black-and-white pictures with dots six
 * pixels wide: computing a code per picture is most of zlib's work.
 */
const shortBytes = [0x00, 0xff]
const usualBytes = [0x03, 0x0f, 0x3f, 0xc0, 0xf0, 0xfc]
const rareBytes = [0x01, 0x02]
const END = 256
const LENGTHS = 29
const DISTANCES = 30
const LONGEST = 258
/** The code-length symbol for a run of 11 to 138 zeros. */
const ZEROS = 18
const FEWEST_ZEROS = 11
const MOST_ZEROS = 138

/** A bit string, first bit lowest, with its length. */
export interface Bits {
  value: number
  count: number
}

const symbolLengths = Array.from({ length: END + 1 + LENGTHS }, (_, symbol) => {
  if (shortBytes.includes(symbol)) return 2
  if (usualBytes.includes(symbol)) return 4
  return rareBytes.includes(symbol) || symbol >= END ? 8 : 0
})
const distanceLengths = Array.from({ length: DISTANCES }, (_, code) => (code < 2 ? 4 : 5))
const symbols = codesOf(symbolLengths)
const distances = codesOf(distanceLengths)

/** Canonical Huffman codes: shorter ones first, equals by symbol; a code's highest bit is written first. */
function codesOf(lengths: readonly number[]): Bits[] {
  const codes: Bits[] = lengths.map(() => ({ value: 0, count: 0 }))
  let next = 0
  for (let count = 1; count < 16; count++) {
    next <<= 1
    for (const [symbol, length] of lengths.entries()) {
      if (length === count) codes[symbol] = { value: reversed(next++, count), count }
    }
  }
  return codes
}

function reversed(value: number, count: number): number {
  let turned = 0
  for (let bit = 0; bit < count; bit++) turned |= ((value >> bit) & 1) << (count - 1 - bit)
  return turned
}

export function bitsOfBytes(bytes: readonly number[]): Bits {
  return bytes.reduce<Bits>(
    ({ value, count }, byte) => {
      const code = symbols[byte] ?? { value: 0, count: 0 }
      return { value: value | (code.value << count), count: count + code.count }
    },
    { value: 0, count: 0 },
  )
}

export const bitsOfEnd: Bits = symbols[END] ?? { value: 0, count: 0 }

/** A back-reference, split into pieces, since one copies at least 3 and at most 258 bytes. */
export function bitsOfRepeat(length: number, distance: number): Bits[] {
  const pieces: Bits[] = []
  for (let left = length; left > 0; ) {
    const piece = left > LONGEST && left < LONGEST + 3 ? left - 3 : Math.min(left, LONGEST)
    pieces.push(...lengthBits(piece), ...distanceBits(distance))
    left -= piece
  }
  return pieces
}

function lengthBits(length: number): Bits[] {
  if (length === LONGEST) return [symbols[END + LENGTHS] ?? bitsOfEnd]
  const { code, extra } = stepOf(length - 3, 4)
  return [symbols[END + 1 + code] ?? bitsOfEnd, extra]
}

function distanceBits(distance: number): Bits[] {
  const { code, extra } = stepOf(distance - 1, 2)
  return [distances[code] ?? bitsOfEnd, extra]
}

/**
 * DEFLATE's code scheme: `steps` codes per doubling after twice as many literal ones; the remainder follows as extra
 * bits.
 */
function stepOf(value: number, steps: number): { code: number; extra: Bits } {
  const count = Math.max(0, 31 - Math.clz32(value / steps))
  return { code: steps * count + (value >> count), extra: { value: value & ((1 << count) - 1), count } }
}

/** The last block's header: the symbols' code lengths, themselves coded in three bits for each of eight symbols. */
export function bitsOfHeader(): Bits[] {
  const signs = [0, 2, 4, 5, 8, 16, 17, 18]
  const order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
  const written = order.slice(0, order.indexOf(2) + 1)
  const codes = codesOf(Array.from({ length: 19 }, (_, sign) => (signs.includes(sign) ? 3 : 0)))
  return [
    { value: 0b101, count: 3 },
    { value: LENGTHS, count: 5 },
    { value: DISTANCES - 1, count: 5 },
    { value: written.length - 4, count: 4 },
    ...written.map((sign) => ({ value: signs.includes(sign) ? 3 : 0, count: 3 })),
    ...withoutLongZeros([...symbolLengths, ...distanceLengths], codes),
  ]
}

function withoutLongZeros(lengths: readonly number[], codes: readonly Bits[]): Bits[] {
  const bits: Bits[] = []
  for (let at = 0; at < lengths.length; at++) {
    let zeros = 0
    while (zeros < MOST_ZEROS && lengths[at + zeros] === 0) zeros++
    const isLong = zeros >= FEWEST_ZEROS
    bits.push(codes[isLong ? ZEROS : (lengths[at] ?? 0)] ?? bitsOfEnd)
    if (!isLong) continue
    bits.push({ value: zeros - FEWEST_ZEROS, count: 7 })
    at += zeros - 1
  }
  return bits
}

/** The same bits in fewer pieces, none longer than one write may be. */
export function joined(all: readonly Bits[]): Bits[] {
  const pieces: Bits[] = []
  let value = 0
  let count = 0
  for (const bits of all) {
    if (count + bits.count > MOST_AT_ONCE) {
      pieces.push({ value, count })
      value = 0
      count = 0
    }
    value |= bits.value << count
    count += bits.count
  }
  return [...pieces, { value, count }]
}

/** With up to seven pending bits this stays within 32. */
const MOST_AT_ONCE = 25

export class BitSink {
  readonly #bytes: Buffer
  #length = 0
  #held = 0
  #heldBits = 0

  constructor(room: number) {
    this.#bytes = Buffer.alloc(room)
  }

  /** Starts over, overwriting earlier output. */
  rewind(): void {
    this.#length = 0
    this.#held = 0
    this.#heldBits = 0
  }

  /** Writes at most 25 bits. */
  write({ value, count }: Bits): void {
    let held = this.#held | (value << this.#heldBits)
    let heldBits = this.#heldBits + count
    let length = this.#length
    while (heldBits >= 8) {
      this.#bytes[length++] = held
      held >>>= 8
      heldBits -= 8
    }
    this.#held = held
    this.#heldBits = heldBits
    this.#length = length
  }

  writeAll(all: readonly Bits[]): void {
    for (const bits of all) this.write(bits)
  }

  /** Pads to a byte and appends the checksum. The result is valid until the next rewind. */
  endWith(sum: number): Buffer {
    if (this.#heldBits > 0) this.write({ value: 0, count: 8 - this.#heldBits })
    return this.#bytes.subarray(0, this.#bytes.writeUInt32BE(sum, this.#length))
  }
}
