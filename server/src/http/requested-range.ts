import type { ListOrder, ListRange } from "#db/list-range"

/** The requested range in the domain's form. */
export function rangeOf({
  page,
  limit,
  after,
  order,
}: {
  page: number
  limit: number
  after?: string | undefined
  order?: ListOrder
}): ListRange {
  const part = after === undefined ? { limit, offset: (page - 1) * limit } : { limit, offset: 0, after }
  return { ...part, order }
}

const WITHOUT_QUERY = 1000

/** Without any query a list returns the newest thousand. */
export function newestThousandIfBare<Query extends { limit: number }>(url: string, query: Query): Query {
  return url.includes("?") ? query : { ...query, limit: WITHOUT_QUERY }
}
