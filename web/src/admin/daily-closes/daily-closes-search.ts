import { idOf, pageOf } from "#ui/list-search.ts"

interface DailyClosesSearch {
  page?: number | undefined
  /** The open day. */
  close?: string | undefined
}

export function dailyClosesSearch(raw: Record<string, unknown>): DailyClosesSearch {
  return { page: pageOf(raw.page), close: idOf(raw.close) }
}
