import { fillDigits } from "./digits.ts"

export const PHONE_MAX_LENGTH = 15

/** (00) 00000-0000, or (00) 0000-0000 for a land line. The +55 or leading 0 of contacts and autofill is dropped. */
export function maskPhone(text: string): string {
  const digits = text.replace(/\D/g, "").replace(/^0+/, "")
  const local = digits.length > 11 && digits.startsWith("55") ? digits.slice(2) : digits
  return fillDigits(local.length > 10 ? "(00) 00000-0000" : "(00) 0000-0000", local)
}
