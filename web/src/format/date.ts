const dateTimeFormat = /* @__PURE__ */ new Intl.DateTimeFormat("pt-BR", {
  day: "2-digit",
  month: "2-digit",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZone: "America/Sao_Paulo",
})

/** "21/11/2026" of `2026-11-21`: a day has no time zone. */
export function formatDay(day: string): string {
  return day.split("-").toReversed().join("/")
}

/** "21/11/2026 14:18", in São Paulo, wherever the reader's device believes to be. */
export function formatDateTime(iso: string | null | undefined): string {
  if (iso === null || iso === undefined || iso === "") return "Data não disponível"
  const date = new Date(iso)
  return Number.isNaN(date.getTime()) ? "Data inválida" : dateTimeFormat.format(date).replace(",", "")
}
