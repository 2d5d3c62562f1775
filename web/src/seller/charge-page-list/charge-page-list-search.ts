import {
  type ChargePageKind,
  type ChargePageStatus,
  chargePageStatuses,
} from "@tilinta/contract/vocabulary/charge-page-status"
import type { ListSearch } from "#ui/list-filters.tsx"
import { pageOf, periodOf, textOf, wordOf } from "#ui/list-search.ts"

/** Single charges are a shop's, by the thousand: they are listed when they are asked for, and found by every search. */
export const listedKinds = ["all", "single"] as const

export interface ChargePageListSearch extends ListSearch<ChargePageStatus> {
  kind?: (typeof listedKinds)[number] | undefined
}

/** The API's filter; undefined is both kinds. */
export function askedKind({ kind, search }: ChargePageListSearch): ChargePageKind | undefined {
  if (kind === "single") return kind
  return kind === "all" || search !== undefined ? undefined : "page"
}

export function chargePageListSearch(raw: Record<string, unknown>): ChargePageListSearch {
  return {
    page: pageOf(raw.page),
    status: wordOf(raw.status, chargePageStatuses),
    search: textOf(raw.search),
    kind: wordOf(raw.kind, listedKinds),
    ...periodOf(raw),
  }
}
