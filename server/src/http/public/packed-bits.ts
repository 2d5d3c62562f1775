/**
 * A DEFLATE stream (RFC 1951) of one block, under a code that was made once for black-and-white pictures of which each
 * dot is six pixels wide: making one for each picture is most of what zlib does.
 */
const shortBytes = [0x00, 0xff]
const usualBytes = [0x03, 0x0f, 0x3f, 0xc0, 0xf0, 0xfc]
const rareBytes = [0x01, 0x02]
const END = 256
const LENGTHS = 29
const DISTANCES = 30
const LONGEST = 258
/** The sign that stands for 11 to 138 symbols which don't occur. */
const ZEROS = 18
const FEWEST_ZEROS = 11
const MOST_ZEROS = 138

/** Bits to come, the first one lowest, and how many they are. */
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

/** Shorter codes come first, and among equals those of lower symbols; a code's highest bit is written first. */
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

/** So many bytes as they stood so far before; in pieces, since one repeats at least three and at most 258. */
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

/** `steps` codes for each doubling, after twice as many that stand for themselves; the rest follows as it is. */
function stepOf(value: number, steps: number): { code: number; extra: Bits } {
  const count = Math.max(0, 31 - Math.clz32(value / steps))
  return { code: steps * count + (value >> count), extra: { value: value & ((1 << count) - 1), count } }
}

/** The last block's start: which symbol has how many bits, itself in a code of three bits for each of eight signs. */
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

/** The same bits in fewer pieces, none longer than what may be written at once. */
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

/** With the up to seven that are held, no more than a number's 32. */
const MOST_AT_ONCE = 25

export class BitSink {
  readonly #bytes: Buffer
  #length = 0
  #held = 0
  #heldBits = 0

  constructor(room: number) {
    this.#bytes = Buffer.alloc(room)
  }

  /** What was written is written over. */
  rewind(): void {
    this.#length = 0
    this.#held = 0
    this.#heldBits = 0
  }

  /** Of at most 25 bits. */
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

  /** Up to the whole byte, and then the sum as it stands. Good until it is rewound. */
  endWith(sum: number): Buffer {
    if (this.#heldBits > 0) this.write({ value: 0, count: 8 - this.#heldBits })
    return this.#bytes.subarray(0, this.#bytes.writeUInt32BE(sum, this.#length))
  }
}
