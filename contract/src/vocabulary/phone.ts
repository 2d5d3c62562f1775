/** Contacts are pasted with marks around them that nobody sees. */
export const unseenMarks = /\p{Cf}/gu

/**
 * The 10 or 11 digits of a Brazilian phone number as people write it, without +55 or the leading 0 of long distance;
 * null for anything else.
 */
export function phoneDigitsOf(typed: string): string | null {
  const text = typed.replace(unseenMarks, "").trim()
  if (!/^\+?[\d\s().\-\p{Pd}]+$/u.test(text)) return null
  const digits = text.replace(/\D/g, "").replace(/^0+/, "")
  const local = digits.length > 11 && digits.startsWith("55") ? digits.slice(2) : digits
  return local.length === 10 || local.length === 11 ? local : null
}

export function isPhone(typed: string): boolean {
  return phoneDigitsOf(typed) !== null
}
