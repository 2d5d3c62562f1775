/** Charges are numbered and the bank derives everything from the number: nothing is sent or stored. */
export function txidOf(n: number): string {
  return `bench${String(n).padStart(27, "0")}`
}

export function centsOf(n: number): number {
  return 1000 + (n % 50_000)
}

export function endToEndIdOf(n: number, paidAt: Date): string {
  const minute = paidAt.toISOString().replace(/\D/g, "").slice(0, 12)
  return `E00000000${minute}${String(n).padStart(11, "0")}`
}

export function numberOfEndToEndId(endToEndId: string): number {
  return Number(endToEndId.slice(21))
}
