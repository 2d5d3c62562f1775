/**
 * Fills digits into a pattern where 0 stands for a digit. Separators appear only before a digit, so deleting always
 * works.
 */
function fillDigits(pattern: string, digits: string): string {
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

export const CPF_MAX_LENGTH = 14

/** 000.000.000-00, filled in as digits are typed. */
export function maskCpf(text: string): string {
  return fillDigits("000.000.000-00", text.replace(/\D/g, ""))
}

export const PHONE_MAX_LENGTH = 15

/** (00) 00000-0000, or (00) 0000-0000 for a land line. The +55 or leading 0 of contacts and autofill is dropped. */
export function maskPhone(text: string): string {
  const digits = text.replace(/\D/g, "").replace(/^0+/, "")
  const local = digits.length > 11 && digits.startsWith("55") ? digits.slice(2) : digits
  return fillDigits(local.length > 10 ? "(00) 00000-0000" : "(00) 0000-0000", local)
}

export const ZIP_CODE_MAX_LENGTH = 9

export function maskZipCode(text: string): string {
  return fillDigits("00000-000", text.replace(/\D/g, ""))
}
