import { queryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import type { SummaryReport } from "@tilinta/contract/reports"
import type { ReportsSearch } from "#admin/search-params.ts"
import { call } from "#api/client.ts"
import { addDays } from "#format/days.ts"

// A report shows the moment of its request, so it is not refetched on focus.
const onlyByHand = { refetchOnWindowFocus: false } as const

export function summaryQuery({ startDate, endDate }: ReportsSearch) {
  return queryOptions({
    queryKey: ["admin", "reports", "summary", startDate, endDate],
    queryFn: async ({ signal }) => (await call(heads.summaryReport, { query: { startDate, endDate }, signal })).data,
    ...onlyByHand,
  })
}

export function topUsersQuery({ startDate, endDate }: ReportsSearch) {
  const isCustom = startDate !== undefined && endDate !== undefined
  const days = isCustom ? ({ period: "custom", startDate, endDate } as const) : ({ period: "month" } as const)
  return queryOptions({
    queryKey: ["admin", "reports", "top-users", days],
    queryFn: async ({ signal }) =>
      (await call(heads.topUsers, { query: { limit: "5", ...days }, signal })).data.topUsers,
    ...onlyByHand,
  })
}

const shownDays = 7
const months = ["jan", "fev", "mar", "abr", "mai", "jun", "jul", "ago", "set", "out", "nov", "dez"] as const

/** The last seven days of the period; empty when nothing happened on them. */
export function daysOf({ days, period }: SummaryReport): SummaryReport["days"] {
  const last = days.slice(-shownDays)
  if (!last.some(({ count }) => count > 0)) return []
  return [...emptyDaysBefore(last[0]?.day ?? "", period.startDate, shownDays - last.length), ...last]
}

/** The server's series begins with the first day that has data; the period may begin earlier. */
function emptyDaysBefore(first: string, startDate: string | null, most: number): SummaryReport["days"] {
  return Array.from({ length: most }, (_, index) => addDays(first, index - most))
    .filter((day) => startDate !== null && day >= startDate)
    .map((day) => ({ day, count: 0, paidCount: 0, grossAmount: 0, netAmount: 0 }))
}

/** The months of the period; empty when nothing was paid in them. */
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
