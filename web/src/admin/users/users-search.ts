import type { ListSearch } from "#ui/list-filters.tsx"
import { idOf, pageOf, textOf, wordOf } from "#ui/list-search.ts"

export const userStatusOptions = [
  { word: "active", label: "Ativos" },
  { word: "inactive", label: "Inativos" },
] as const
export type UserStatus = (typeof userStatusOptions)[number]["word"]
const userStatuses = userStatusOptions.map(({ word }) => word)

export interface UsersSearch extends Pick<ListSearch<UserStatus>, "page" | "status" | "search"> {
  /** The user open beside the list. */
  user?: string | undefined
}

export function usersSearch(raw: Record<string, unknown>): UsersSearch {
  return {
    page: pageOf(raw.page),
    status: wordOf(raw.status, userStatuses),
    search: textOf(raw.search),
    user: idOf(raw.user),
  }
}
