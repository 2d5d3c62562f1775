import { textOf } from "#ui/list-search.ts"

export interface CreateChargeSearch {
  /** The charge page to start from. */
  from?: string | undefined
}

export function createChargeSearch(raw: Record<string, unknown>): CreateChargeSearch {
  return { from: textOf(raw.from) }
}
