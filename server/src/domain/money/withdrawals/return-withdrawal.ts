import { noMoney, reaisFromCents, subtractCents } from "@tilinta/contract/vocabulary/money"
import type { Db, Tx } from "#db/transaction"
import { askSecondPerson } from "#domain/people/second-approvals/ask-second-person"
import type { SecondApproval } from "#domain/people/second-approvals/second-approval"
import { getUser } from "#domain/people/users/get-user"
import type { Actor } from "#domain/platform/audit/audit-entry"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import type { Protection } from "#kit/protection"
import type { Psp } from "#psp/psp"
import { type DecidedWithdrawal, lockForeign } from "./decide-withdrawal.ts"
import type { Withdrawal } from "./withdrawal.ts"
import { creditCameBack, putBack } from "./withdrawal-came-back.ts"
import { returnPostings } from "./withdrawal-postings.ts"

interface Deps {
  db: Db
  clock: Clock
  psp: Pick<Psp, "payouts">
  protection: Protection
}

interface Return {
  id: string
  admin: Actor
  /** The seller reads it. */
  reason: string
}

interface ReturnedWithdrawal extends DecidedWithdrawal {
  /** The first approval, when nothing has changed yet; null once the money is back. */
  waits: SecondApproval | null
}

/** Puts an approved payment by hand back into the balance: it can't be made, or it was made and came back. */
export async function returnWithdrawal(
  { db, clock, psp, protection }: Deps,
  asked: Return,
): Promise<ReturnedWithdrawal> {
  const now = clock.now()
  const { payouts } = psp
  return db.transaction().execute((tx) => putBackOnce(tx, asked, { payouts, protection, now }))
}

async function putBackOnce(
  tx: Tx,
  { id, admin, reason }: Return,
  { payouts, protection, now }: Pick<Psp, "payouts"> & Pick<Deps, "protection"> & { now: Date },
): Promise<ReturnedWithdrawal> {
  const withdrawal = await lockForeign(tx, { id, admin })
  if (!isReturnable(withdrawal, payouts)) throw new DomainError("withdrawal_not_returnable")
  const waits = await askAbout(tx, { withdrawal, admin, reason, protection }, now)
  if (waits !== null) return { withdrawal, waits }
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
  return { withdrawal: back, waits: null }
}

interface Asked extends Pick<Return, "admin" | "reason">, Pick<Deps, "protection"> {
  withdrawal: Withdrawal
}

/** For any amount: balance appears by a person's word alone, while the bank may have paid. */
async function askAbout(
  tx: Tx,
  { withdrawal, admin, reason, protection }: Asked,
  now: Date,
): Promise<SecondApproval | null> {
  const { id, sellerId, amountCents, returnedCents, status } = withdrawal
  const seller = await getUser(tx, sellerId)
  const changes = [
    { field: "amount", before: null, after: reaisFromCents(subtractCents(amountCents, returnedCents)) },
    { field: "status", before: status, after: "rejected" },
    { field: "reason", before: null, after: reason },
  ]
  const about = { act: "withdrawal.return", subjectId: id, subjectName: seller.name, changes } as const
  return (await askSecondPerson(tx, { ...about, by: admin, protection }, now)).waits
}

/** A Pix that the provider says it sent needs no person's word where the provider reports returns itself. */
export function isReturnable(
  { status, isPaidByHand, wasSettledByHand }: Pick<Withdrawal, "status" | "isPaidByHand" | "wasSettledByHand">,
  payouts: Psp["payouts"],
): boolean {
  if (status === "completed") return isPaidByHand || wasSettledByHand || payouts?.reportsReturns !== true
  return status === "approved" && isPaidByHand
}
