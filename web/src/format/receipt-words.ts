/** How often a transaction's receipt was verified, in words. */
export function verifiedText(times: number): string {
  if (times === 0) return "ainda não verificado"
  return times === 1 ? "recibo verificado 1 vez" : `recibo verificado ${times} vezes`
}
