const valorPattern = /^(\d{1,10})\.(\d{2})$/

/** The standard's `valor` ("100.00") as centavos; undefined when it is not one. */
export function centsFromValor(valor: string): number | undefined {
  const match = valorPattern.exec(valor)
  return match === null ? undefined : Number(`${match[1]}${match[2]}`)
}

export function valorFromCents(amountCents: number): string {
  const digits = String(amountCents).padStart(3, "0")
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}
