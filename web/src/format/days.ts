/** Every screen loads this file, since addresses are read before their screens: how days are written is in dates.ts. */
export const periodWords = ["today", "yesterday", "7d", "30d", "month", "last-month"] as const
export type PeriodWord = (typeof periodWords)[number]

/** A named period or two explicit days; a named one is relative to today. */
export interface Period {
  period?: PeriodWord | undefined
  dateFrom?: string | undefined
  dateTo?: string | undefined
}

/** Calendar days need no time zone: noon in UTC is never near another day. */
export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T12:00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}

/** The round trip refuses days that don't exist, such as 29 February of most years. */
export function isDay(value: string): boolean {
  return /^2\d{3}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)) && addDays(value, 0) === value
}
