import type { Audience as EndpointAudience } from "@tilinta/contract/define-endpoint"
import type { Period } from "@tilinta/contract/fields"
import type { FastifyInstance } from "fastify"
import type { Days, ListOrder, ListRange } from "#db/list-range"

export interface ListFilters extends Period {
  search?: string | undefined
}

export function daysOf({ dateFrom, dateTo, startDate, endDate }: Period): Days {
  return { dayFrom: dateFrom ?? startDate, dayTo: dateTo ?? endDate }
}

/** Filters shared by every list and its export. */
export function searchAndDays({ search, ...days }: ListFilters) {
  return { search, ...daysOf(days) }
}

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

/** The audience of a route: the contract's three, and those without an endpoint there. */
export type Audience = EndpointAudience | "webhook" | "health" | "sandbox" | "site"

const audienceKey = "audience"

/** Marks a plugin scope, so that an endpoint can't be served without its audience's login. */
export function markAudience(scope: FastifyInstance, audience: Audience): void {
  scope.decorate(audienceKey, audience)
}

export function audienceOf(scope: FastifyInstance): Audience | undefined {
  return scope.hasDecorator(audienceKey) ? scope.getDecorator<Audience>(audienceKey) : undefined
}
