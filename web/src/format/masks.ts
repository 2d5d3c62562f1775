import { digitsOf } from "@tilinta/contract/vocabulary/payer-data"
import { parseState } from "@tilinta/contract/vocabulary/typed-data"

/**
 * Fills digits, or the letters of a CNPJ, into a pattern where 0 stands for one. Separators appear only before one, so
 * deleting always works.
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

/** The caret after masking: after as many digits and letters as it was before. */
export function caretAfterDigits(masked: string, digitsBefore: number): number {
  let seen = 0
  let position = 0
  while (position < masked.length && seen < digitsBefore) {
    if (/\w/.test(masked[position] ?? "")) seen++
    position++
  }
  return position
}

/** 000.000.000-00, filled in as digits are typed. A CNPJ stays whole: its beginning might be somebody's CPF. */
export function maskCpf(text: string): string {
  const digits = digitsOf(text)
  return digits.length === 14 ? digits : fillDigits("000.000.000-00", digits)
}

/** 00.000.000/0000-00 of digits and capitals. */
export function maskCnpj(text: string): string {
  return fillDigits("00.000.000/0000-00", text.toUpperCase().replace(/[^0-9A-Z]/g, ""))
}

/** A CPF while it may be one, else a CNPJ. */
export function maskDocument(text: string): string {
  const signs = text.normalize("NFKC").replace(/[^a-z\d]/gi, "")
  return /^\d{0,11}$/.test(signs) ? maskCpf(signs) : maskCnpj(signs)
}

/**
 * (00) 00000-0000, or (00) 0000-0000 for a land line, without the +55 of contacts and autofill. A carrier's code or
 * another country's stays as it is: its digits would pass for an area code.
 */
export function maskPhone(text: string): string {
  if (/^ *(\+(?!55)|\(?0)/.test(text)) return text.slice(0, 20)
  const digits = digitsOf(text)
  const local = digits.length > 11 && digits.startsWith("55") ? digits.slice(2) : digits
  return fillDigits(local.length > 10 ? "(00) 00000-0000" : "(00) 0000-0000", local)
}

export function maskZipCode(text: string): string {
  return fillDigits("00000-000", digitsOf(text))
}

/** The two letters of a state, also where the browser fills in its name. */
export function maskState(text: string): string {
  return (
    parseState(text) ??
    text
      .replace(/[^a-z]/gi, "")
      .slice(0, 2)
      .toUpperCase()
  )
}

interface Typing {
  target: { value: string }
  nativeEvent?: { isComposing?: boolean }
}

/**
 * Props of a masked field. While a keyboard composes a word the text is the keyboard's own: rewritten then, its signs
 * double. So it is masked when the composition ends.
 */
export function masking(mask: (text: string) => string, write: (masked: string) => void) {
  return {
    onChange: ({ target, nativeEvent }: Typing) => {
      if (nativeEvent?.isComposing !== true) write(mask(target.value))
    },
    onCompositionEnd: ({ currentTarget }: { currentTarget: { value: string } }) => write(mask(currentTarget.value)),
  }
}
