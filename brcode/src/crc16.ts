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
