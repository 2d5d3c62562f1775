/** Enough to tell two people apart, not enough to write to one. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf("@")
  return `${email.slice(0, Math.min(2, at))}•••${email.slice(at)}`
}
