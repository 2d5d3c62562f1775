import * as heads from "@tilinta/contract/heads"
import type { ChargePageKind, ChargePageStatus } from "@tilinta/contract/vocabulary/charge-pages"
import { call } from "#api/client.ts"
import { listQuery } from "#api/queries.ts"
import type { DayRange } from "#format/dates.ts"
import { holdsText } from "#format/withdrawal-texts.ts"
import { chargePagesKey } from "#seller/charge-page-parts/charge-pages-data.ts"

export const pageSize = 10

interface ChargePagesFilter extends Partial<DayRange> {
  page: number
  status: ChargePageStatus | undefined
  search: string | undefined
  kind: ChargePageKind | undefined
}

export function chargePagesQuery({ page, ...filter }: ChargePagesFilter) {
  return listQuery({
    key: chargePagesKey,
    page,
    filter,
    ask: (part, signal) =>
      call(heads.listChargePages, { query: { ...part, limit: String(pageSize), ...filter }, signal }),
    rowsOf: ({ data }) => data.checkoutPages,
  })
}

/** Filters the loaded rows at once, while the server's search is still under way. */
export function matchesText(
  row: { title: string; description: string; externalReference: string | null },
  typed: string,
): boolean {
  return [row.title, row.description, row.externalReference ?? ""].some((text) => holdsText(text, typed))
}
