import { type Cents } from "@tilinta/contract/vocabulary/money"
import type { Db } from "#db/transaction"
import { readSellerBalance } from "#domain/money/payments/read-seller-balance"
import { findFrozen } from "#domain/people/freezes/find-frozen"
import { findUser } from "#domain/people/users/find-user"
import type { User } from "#domain/people/users/user"
import { countChargePages } from "#domain/selling/charge-pages/count-charge-pages"
import { countCharges } from "#domain/selling/charges/count-charges"
import { DomainError } from "#kit/domain-error"
import { sumWithdrawalsUnderWay } from "#money/withdrawals/reads"

interface UserActivity {
  user: User
  balanceCents: Cents
  pages: { all: number; active: number }
  charges: { all: number; paid: number }
  underWay: { count: number; amountCents: Cents }
  frozenAt: Date | null
}

/** For admins: the user, and a summary of their activity. */
export async function getUserActivity(db: Db, id: string): Promise<UserActivity> {
  const user = await findUser(db, id)
  if (user === null) throw new DomainError("user_not_found")
  const [balanceCents, pages, charges, underWay, frozen] = await Promise.all([
    readSellerBalance(db, id),
    countChargePages(db, id),
    countCharges(db, id),
    sumWithdrawalsUnderWay(db, id),
    findFrozen(db, [id]),
  ])
  return { user, balanceCents, pages, charges, underWay, frozenAt: frozen.get(id) ?? null }
}
