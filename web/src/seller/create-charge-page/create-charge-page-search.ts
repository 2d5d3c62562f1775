import { textOf } from "#ui/list-search.ts"

interface CreateChargePageSearch {
  /** The charge page to start from. */
  from?: string | undefined
}

export function createChargePageSearch(raw: Record<string, unknown>): CreateChargePageSearch {
  return { from: textOf(raw.from) }
}
