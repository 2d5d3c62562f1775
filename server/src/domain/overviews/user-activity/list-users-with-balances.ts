import { type Cents, noMoney } from "@tilinta/contract/vocabulary/money"
import type { Db } from "#db/transaction"
import { readSellerBalances } from "#domain/money/payments/read-seller-balance"
import { listUsers, type UserFilter, type UserList, type UserRange } from "#domain/people/users/list-users"
import type { User } from "#domain/people/users/user"

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
