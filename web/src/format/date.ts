const timeZone = "America/Sao_Paulo"
const day = { day: "2-digit", month: "2-digit", year: "numeric", timeZone } as const
const dateFormat = /* @__PURE__ */ new Intl.DateTimeFormat("pt-BR", day)
const dateTimeFormat = /* @__PURE__ */ new Intl.DateTimeFormat("pt-BR", {
  ...day,
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
})

/** "21/11/2026 14:18", in São Paulo, wherever the reader's device believes to be. */
export function formatDateTime(iso: string | null | undefined): string {
  return formatWith(dateTimeFormat, iso).replace(",", "")
}

export function formatDate(iso: string | null | undefined): string {
  const calendarDay = /^(\d{4})-(\d{2})-(\d{2})$/.exec(iso ?? "")
  if (calendarDay === null) return formatWith(dateFormat, iso)
  // A bare day is no instant: read as midnight UTC it would be the day before in São Paulo.
  return formatWith(dateFormat, `${iso}T12:00:00Z`)
}

function formatWith(format: Intl.DateTimeFormat, iso: string | null | undefined): string {
  if (iso === null || iso === undefined || iso === "") return "Data não disponível"
  const date = new Date(iso)
  return Number.isNaN(date.getTime()) ? "Data inválida" : format.format(date)
}
