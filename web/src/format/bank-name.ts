/** The receiver's name in a BR Code (field 59), as the payer's bank shows it; empty when unreadable. */
export function bankNameOf(pixCode: string): string {
  for (let at = 0; at + 4 <= pixCode.length; ) {
    const length = Number(pixCode.slice(at + 2, at + 4))
    if (!Number.isInteger(length)) return ""
    if (pixCode.startsWith("59", at)) return pixCode.slice(at + 4, at + 4 + length)
    at += 4 + length
  }
  return ""
}
