/** A CPF as receipts show it; null for whatever is none. */
export function cpfMiddle(cpf: string | null): string | null {
  return cpf !== null && /^\d{11}$/.test(cpf) ? cpf.slice(3, 9) : null
}

export function maskedCpfOf(digits: string): string {
  return `***.${digits.slice(0, 3)}.${digits.slice(3)}-**`
}

/** The receipt in what somebody pasted, scanned or opened: itself, or the end of its link. Nothing inside it is mended. */
export function receiptIn(pasted: string): string {
  return /[#?&](?:r=)?(TLR1\.[^\s&#]*)/.exec(pasted)?.[1] ?? pasted.trim()
}
