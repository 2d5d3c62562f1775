import { addDays, type Period, type PeriodWord } from "./days.ts"

let dateTimeFormat: Intl.DateTimeFormat | undefined

/** Created on first use: it takes a slow phone longer than rendering a page. */
function dateTimeText(date: Date): string {
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

/** "14:18", for a row under its day. */
export function formatTime(iso: string): string {
  return dateTimeText(new Date(iso)).slice("21/11/2026 ".length)
}

/** São Paulo calendar days, inclusive, `YYYY-MM-DD`. */
export interface DayRange {
  dateFrom: string
  dateTo: string
}

export const periodLabels: Record<PeriodWord, string> = {
  today: "Hoje",
  yesterday: "Ontem",
  "7d": "7 dias",
  "30d": "30 dias",
  month: "Este mês",
  "last-month": "Mês passado",
}

const dayFormat = /* @__PURE__ */ new Intl.DateTimeFormat("en-CA", {
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  timeZone: "America/Sao_Paulo",
})

export function saoPauloDay(moment: Date): string {
  return dayFormat.format(moment)
}

export function rangeOfPeriod(word: PeriodWord, today: string): DayRange {
  const monthStart = `${today.slice(0, 8)}01`
  switch (word) {
    case "today":
      return { dateFrom: today, dateTo: today }
    case "yesterday":
      return { dateFrom: addDays(today, -1), dateTo: addDays(today, -1) }
    case "7d":
      return { dateFrom: addDays(today, -6), dateTo: today }
    case "30d":
      return { dateFrom: addDays(today, -29), dateTo: today }
    case "month":
      return { dateFrom: monthStart, dateTo: today }
    case "last-month": {
      const lastDay = addDays(monthStart, -1)
      return { dateFrom: `${lastDay.slice(0, 8)}01`, dateTo: lastDay }
    }
  }
}

/** The period as query parameters. */
export function daysOf(
  { period, dateFrom, dateTo }: Period,
  today: string,
  rangeOf: (word: PeriodWord, today: string) => DayRange = rangeOfPeriod,
): Partial<DayRange> {
  if (period !== undefined) return rangeOf(period, today)
  return { ...(dateFrom !== undefined && { dateFrom }), ...(dateTo !== undefined && { dateTo }) }
}

/** The heading of what happened on a day. */
export function nameOfDay(day: string, today: string): string {
  if (day === today) return periodLabels.today
  return day === addDays(today, -1) ? periodLabels.yesterday : formatDay(day)
}
