import type { SummaryReport } from "@tilinta/contract/api/reports-endpoints"

const shownDays = 7
const months = ["jan", "fev", "mar", "abr", "mai", "jun", "jul", "ago", "set", "out", "nov", "dez"] as const

/** The last seven days of the period; none when nothing happened on them. */
export function daysOf({ days }: SummaryReport): SummaryReport["days"] {
  const last = days.slice(-shownDays)
  return last.some(({ count }) => count > 0) ? last : []
}

/** The months of the period; none when nothing was paid in them. */
export function monthsOf({ months: all }: SummaryReport): SummaryReport["months"] {
  return all.some(({ grossAmount }) => grossAmount > 0) ? all : []
}

/** "21/11" */
export function dayLabel(day: string): string {
  return `${day.slice(8)}/${day.slice(5, 7)}`
}

/** "21/11/2026" */
export function wholeDayLabel(day: string): string {
  return `${dayLabel(day)}/${day.slice(0, 4)}`
}

/** "nov" */
export function monthLabel(month: string): string {
  return months[Number(month.slice(5)) - 1] ?? month
}

/** "nov de 2026" */
export function wholeMonthLabel(month: string): string {
  return `${monthLabel(month)} de ${month.slice(0, 4)}`
}
