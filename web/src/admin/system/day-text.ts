/** The day of a moment in São Paulo. */
export function dayText(moment: string): string {
  return new Date(moment).toLocaleDateString("pt-BR", { timeZone: "America/Sao_Paulo" })
}
