let dateTimeFormat: Intl.DateTimeFormat | undefined

/** Made when it is first needed: setting it up takes a slow phone longer than drawing a page. */
function dateTimeText(date: Date): string {
  dateTimeFormat ??= new Intl.DateTimeFormat("pt-BR", {
    dateStyle: "short",
    timeStyle: "short",
    timeZone: "America/Sao_Paulo",
  })
  return dateTimeFormat.format(date).replace(",", "")
}

/** "21/11/2026" of `2026-11-21`: a day has no time zone. */
export function formatDay(day: string): string {
  return day.split("-").toReversed().join("/")
}

/** "21/11/2026 14:18", in São Paulo, wherever the reader's device believes to be. */
export function formatDateTime(iso: string | null | undefined): string {
  if (iso === null || iso === undefined || iso === "") return "Data não disponível"
  const date = new Date(iso)
  return Number.isNaN(date.getTime()) ? "Data inválida" : dateTimeText(date)
}
