import { requireRowBefore } from "#db/list-range"
import type { Db } from "#db/transaction"
import type { User } from "./user.ts"
import {
  countFoundUsers,
  listUserRows,
  readUserTotals,
  type UserFilter,
  type UserRange,
  type UserTotal,
} from "./user-lists-repository.ts"

export type { UserFilter, UserRange }

export interface UserList {
  users: User[]
  /** The number of users that the filter finds, whatever the page. */
  results: number
  /** Counts of all users, whatever the filter. */
  summary: { total: number; active: number; inactive: number; admins: number }
}

export async function listUsers(db: Db, filter: UserFilter, range: UserRange): Promise<UserList> {
  const [rows, totals, found] = await Promise.all([
    listUserRows(db, filter, range),
    readUserTotals(db),
    filter.search ? countFoundUsers(db, filter) : null,
  ])
  await requireRowBefore(db, "users", range, rows)
  return {
    users: rows,
    results: found ?? countOf(totals, (total) => isWanted(total, filter)),
    summary: {
      total: countOf(totals, () => true),
      active: countOf(totals, ({ active }) => active),
      inactive: countOf(totals, ({ active }) => !active),
      admins: countOf(totals, ({ role }) => role === "admin"),
    },
  }
}

function isWanted(total: UserTotal, { role, active }: UserFilter): boolean {
  return (role === undefined || total.role === role) && (active === undefined || total.active === active)
}

function countOf(totals: UserTotal[], isCounted: (total: UserTotal) => boolean): number {
  return totals.filter(isCounted).reduce((sum, { count }) => sum + count, 0)
}
