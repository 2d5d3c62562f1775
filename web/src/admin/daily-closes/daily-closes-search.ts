import { idOf, pageOf } from "#ui/list-search.ts"

export interface DailyClosesSearch {
  page?: number | undefined
  /** Which day stands open. */
  close?: string | undefined
}

export function dailyClosesSearch(raw: Record<string, unknown>): DailyClosesSearch {
  return { page: pageOf(raw.page), close: idOf(raw.close) }
}
