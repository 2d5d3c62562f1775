/** A draw from a seed's series, in [0, 1): always the same for the same seed and number (mulberry32). */
export function seededChance(seed: number, draw: number): number {
  let state = (seed + Math.imul(draw + 1, 0x6d2b79f5)) | 0
  state = Math.imul(state ^ (state >>> 15), state | 1)
  state ^= state + Math.imul(state ^ (state >>> 7), state | 61)
  return ((state ^ (state >>> 14)) >>> 0) / 2 ** 32
}
