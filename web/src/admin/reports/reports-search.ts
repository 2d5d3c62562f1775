import { isDay } from "#format/period.ts"

export interface ReportsSearch {
  startDate?: string | undefined
  endDate?: string | undefined
}

/** Impossible days, and periods that end before they begin, are ignored. */
export function reportsSearch(raw: Record<string, unknown>): ReportsSearch {
  const [startDate, endDate] = [raw.startDate, raw.endDate].map((day) =>
    typeof day === "string" && isDay(day) ? day : undefined,
  )
  const isBackwards = startDate !== undefined && endDate !== undefined && startDate > endDate
  return { startDate, endDate: isBackwards ? undefined : endDate }
}
