/**
 * Fills digits into a pattern where 0 stands for a digit. Separators appear only before a digit, so deleting always
 * works.
 */
export function fillDigits(pattern: string, digits: string): string {
  let filled = ""
  let used = 0
  for (const mark of pattern) {
    if (used === digits.length) break
    filled += mark === "0" ? digits[used++] : mark
  }
  return filled
}

/** The caret after masking: after as many digits as it was before. */
export function caretAfterDigits(masked: string, digitsBefore: number): number {
  let seen = 0
  let position = 0
  while (position < masked.length && seen < digitsBefore) {
    if (/\d/.test(masked[position] ?? "")) seen++
    position++
  }
  return position
}
