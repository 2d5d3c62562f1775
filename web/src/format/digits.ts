/** Puts digits into a pattern where 0 stands for a digit. Marks come only before a digit, so deleting always works. */
export function fillDigits(pattern: string, digits: string): string {
  let filled = ""
  let used = 0
  for (const mark of pattern) {
    if (used === digits.length) break
    filled += mark === "0" ? digits[used++] : mark
  }
  return filled
}

/** Where the caret belongs after masking: behind as many digits as it stood behind while typing. */
export function caretAfterDigits(masked: string, digitsBefore: number): number {
  let seen = 0
  let position = 0
  while (position < masked.length && seen < digitsBefore) {
    if (/\d/.test(masked[position] ?? "")) seen++
    position++
  }
  return position
}
