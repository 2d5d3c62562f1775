import { type BlockPlan, blockPlanOf, dataBytesOf, type QrLevel } from "./capacity.ts"
import { byteAt, correctionOf } from "./reed-solomon.ts"
import { alphanumericValue, countOf, lengthBits, modeIndicator, type Segment, utf8 } from "./segments.ts"

/** The bytes of a symbol in drawing order: data, then correction, interleaved block by block. */
export function codewordsOf(segments: readonly Segment[], version: number, level: QrLevel): Uint8Array {
  const plan = blockPlanOf(version, level)
  const data = dataOf(segments, version, dataBytesOf(version, level))
  return interleaved(data, plan)
}

function dataOf(segments: readonly Segment[], version: number, room: number): Uint8Array {
  const bits = new BitWriter(room)
  for (const segment of segments) {
    const { mode, text } = segment
    bits.write(modeIndicator(mode), 4)
    bits.write(countOf(segment), lengthBits(mode, version))
    if (mode === "byte") for (const byte of utf8(text)) bits.write(byte, 8)
    else if (mode === "numeric") writeDigits(bits, text)
    else writeLetters(bits, text)
  }
  return bits.padded()
}

function writeDigits(bits: BitWriter, text: string): void {
  for (let at = 0; at < text.length; at += 3) {
    const digits = text.slice(at, at + 3)
    bits.write(Number(digits), digits.length * 3 + 1)
  }
}

function writeLetters(bits: BitWriter, text: string): void {
  for (let at = 0; at < text.length; at += 2) {
    const first = alphanumericValue(text.charCodeAt(at))
    if (at + 1 === text.length) bits.write(first, 6)
    else bits.write(first * 45 + alphanumericValue(text.charCodeAt(at + 1)), 11)
  }
}

class BitWriter {
  readonly #bytes: Uint8Array
  #length = 0
  #held = 0
  #heldBits = 0

  constructor(room: number) {
    this.#bytes = new Uint8Array(room)
  }

  write(value: number, bits: number): void {
    this.#held = (this.#held << bits) | value
    this.#heldBits += bits
    while (this.#heldBits >= 8) {
      this.#heldBits -= 8
      this.#bytes[this.#length++] = this.#held >>> this.#heldBits
    }
    this.#held &= 0xff
  }

  /** Terminated by up to four zeros, filled to the byte, then padded with two alternating bytes. */
  padded(): Uint8Array {
    const terminator = Math.min(4, (this.#bytes.length - this.#length) * 8 - this.#heldBits)
    this.write(0, terminator)
    if (this.#heldBits > 0) this.write(0, 8 - this.#heldBits)
    for (let pad = 0xec; this.#length < this.#bytes.length; pad ^= 0xec ^ 0x11) this.#bytes[this.#length++] = pad
    return this.#bytes
  }
}

function interleaved(data: Uint8Array, plan: BlockPlan): Uint8Array {
  const { blocks, longBlocks, shortDataBytes, correctionBytes } = plan
  const all = new Uint8Array(data.length + blocks * correctionBytes)
  const shortBlocks = blocks - longBlocks
  let start = 0
  for (let block = 0; block < blocks; block++) {
    const end = start + shortDataBytes + (block < shortBlocks ? 0 : 1)
    for (let at = 0; at < shortDataBytes; at++) all[at * blocks + block] = data[start + at] ?? 0
    if (block >= shortBlocks) all[shortDataBytes * blocks + block - shortBlocks] = data[end - 1] ?? 0
    const register = correctionOf(data, start, end, correctionBytes)
    for (let at = 0; at < correctionBytes; at++) all[data.length + at * blocks + block] = byteAt(register, at)
    start = end
  }
  return all
}
