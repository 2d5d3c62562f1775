import type { ListRange } from "#db/list-range"

/** What a list was asked for, as the domain takes it. */
export function rangeOf({
  page,
  limit,
  after,
}: {
  page: number
  limit: number
  after?: string | undefined
}): ListRange {
  return after === undefined ? { limit, offset: (page - 1) * limit } : { limit, offset: 0, after }
}

const WITHOUT_QUERY = 1000

/** Asked for nothing in particular, a list answers the newest thousand. */
export function newestThousandIfBare<Query extends { limit: number }>(url: string, query: Query): Query {
  return url.includes("?") ? query : { ...query, limit: WITHOUT_QUERY }
}
