import type { Db, Tx } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { noMoney } from "#kit/money"
import type { Psp } from "#psp/psp"
import { type DecidedWithdrawal, lockForeign } from "./decide-withdrawal.ts"
import type { Withdrawal } from "./withdrawal.ts"
import { creditCameBack, putBack } from "./withdrawal-came-back.ts"
import { returnPostings } from "./withdrawal-postings.ts"

interface Deps {
  db: Db
  clock: Clock
  psp: Pick<Psp, "payouts">
}

interface Return {
  id: string
  admin: Actor
  /** The seller reads it. */
  reason: string
}

/** Puts an approved payment by hand back into the balance: it can't be made, or it was made and came back. */
export async function returnWithdrawal({ db, clock, psp }: Deps, asked: Return): Promise<DecidedWithdrawal> {
  const now = clock.now()
  const { payouts } = psp
  return db.transaction().execute((tx) => putBackOnce(tx, asked, { payouts, now }))
}

async function putBackOnce(
  tx: Tx,
  { id, admin, reason }: Return,
  { payouts, now }: Pick<Psp, "payouts"> & { now: Date },
): Promise<DecidedWithdrawal> {
  const withdrawal = await lockForeign(tx, { id, admin })
  if (!isReturnable(withdrawal, payouts)) throw new DomainError("withdrawal_not_returnable")
  const back =
    withdrawal.status === "completed"
      ? await creditCameBack(tx, withdrawal, { returnedCents: withdrawal.amountCents, reason, actor: admin }, now)
      : await putBack(tx, withdrawal, {
          returnedCents: noMoney,
          reason,
          actor: admin,
          status: "rejected",
          postings: returnPostings(withdrawal, now),
          now,
        })
  return { withdrawal: back }
}

/** A Pix that the provider says it sent needs no person's word where the provider reports returns itself. */
export function isReturnable(
  { status, isPaidByHand, wasSettledByHand }: Pick<Withdrawal, "status" | "isPaidByHand" | "wasSettledByHand">,
  payouts: Psp["payouts"],
): boolean {
  if (status === "completed") return isPaidByHand || wasSettledByHand || payouts?.reportsReturns !== true
  return status === "approved" && isPaidByHand
}
