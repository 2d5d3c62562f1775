export interface ListFilters {
  search?: string | undefined
  dateFrom?: string | undefined
  dateTo?: string | undefined
  startDate?: string | undefined
  endDate?: string | undefined
}

/** What every list and its export filter alike by: the two pairs of names mean the same days. */
export function searchAndDays({ search, dateFrom, dateTo, startDate, endDate }: ListFilters) {
  return { search, dayFrom: dateFrom ?? startDate, dayTo: dateTo ?? endDate }
}
