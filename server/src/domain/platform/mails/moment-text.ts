const inSaoPaulo = new Intl.DateTimeFormat("pt-BR", {
  dateStyle: "short",
  timeStyle: "short",
  timeZone: "America/Sao_Paulo",
})

export function momentText(iso: string): string {
  return inSaoPaulo.format(new Date(iso)).replace(",", " às")
}
