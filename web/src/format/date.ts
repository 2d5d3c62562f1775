let dateTimeFormat: Intl.DateTimeFormat | undefined

/** Created on first use: it takes a slow phone longer than rendering a page. */
export function dateTimeText(date: Date): string {
  dateTimeFormat ??= new Intl.DateTimeFormat("pt-BR", {
    dateStyle: "short",
    timeStyle: "short",
    timeZone: "America/Sao_Paulo",
  })
  return dateTimeFormat.format(date).replace(",", "")
}

/** `2026-11-21` as "21/11/2026": a day has no time zone. */
export function formatDay(day: string): string {
  return day.split("-").toReversed().join("/")
}

/** "21/11/2026 14:18", in São Paulo, whatever the device's time zone. */
export function formatDateTime(iso: string | null | undefined): string {
  if (iso === null || iso === undefined || iso === "") return "Data não disponível"
  const date = new Date(iso)
  return Number.isNaN(date.getTime()) ? "Data inválida" : dateTimeText(date)
}
