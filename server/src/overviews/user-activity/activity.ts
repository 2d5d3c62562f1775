import { type Cents, noMoney } from "@tilinta/contract/vocabulary/money"
import type { Db } from "#db/transaction"
import { DomainError } from "#kit/errors"
import { isId } from "#kit/ids"
import { readSellerBalance, readSellerBalances } from "#money/payments/reads"
import { sumWithdrawalsUnderWay } from "#money/withdrawals/reads"
import { findFrozen } from "#people/freezes/freeze"
import { findUserWithPassword, listUsers, type UserFilter, type UserList, type UserRange } from "#people/users/reads"
import type { User } from "#people/users/rules"
import { countChargePages } from "#selling/charge-pages/list-reads"
import { countCharges } from "#selling/charges/lists"

interface UserActivity {
  user: User
  /** A seller who has not used the invitation yet. */
  isInvited: boolean
  balanceCents: Cents
  pages: { all: number; active: number }
  charges: { all: number; paid: number }
  underWay: { count: number; amountCents: Cents }
  frozenAt: Date | null
}

/** For admins: the user, and a summary of their activity. */
export async function getUserActivity(db: Db, id: string): Promise<UserActivity> {
  const user = isId(id) ? await findUserWithPassword(db, id) : undefined
  if (user === undefined) throw new DomainError("user_not_found")
  const [balanceCents, pages, charges, underWay, frozen] = await Promise.all([
    readSellerBalance(db, id),
    countChargePages(db, id),
    countCharges(db, id),
    sumWithdrawalsUnderWay(db, id),
    findFrozen(db, [id]),
  ])
  const isInvited = user.passwordHash === null && user.active && user.role === "user"
  return { user, isInvited, balanceCents, pages, charges, underWay, frozenAt: frozen.get(id) ?? null }
}

interface UserListWithBalances extends Omit<UserList, "users"> {
  users: { user: User; balanceCents: Cents }[]
}

export async function listUsersWithBalances(
  db: Db,
  filter: UserFilter,
  range: UserRange,
): Promise<UserListWithBalances> {
  const { users, ...totals } = await listUsers(db, filter, range)
  const balances = await readSellerBalances(
    db,
    users.map(({ id }) => id),
  )
  return { ...totals, users: users.map((user, index) => ({ user, balanceCents: balances[index] ?? noMoney })) }
}
