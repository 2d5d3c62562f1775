import type { Days } from "#db/sao-paulo-days"

interface AskedDays {
  dateFrom?: string | undefined
  dateTo?: string | undefined
  startDate?: string | undefined
  endDate?: string | undefined
}

export interface ListFilters extends AskedDays {
  search?: string | undefined
}

/** Both pairs of names mean the same days. */
export function daysOf({ dateFrom, dateTo, startDate, endDate }: AskedDays): Days {
  return { dayFrom: dateFrom ?? startDate, dayTo: dateTo ?? endDate }
}

/** Filters shared by every list and its export. */
export function searchAndDays({ search, ...days }: ListFilters) {
  return { search, ...daysOf(days) }
}
