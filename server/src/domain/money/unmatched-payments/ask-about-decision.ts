import { type Cents, reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { Tx } from "#db/transaction"
import { askSecondPerson } from "#domain/people/second-approvals/ask-second-person"
import type { SecondApproval } from "#domain/people/second-approvals/second-approval"
import { getUser } from "#domain/people/users/get-user"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { readSecondApprovalAboveCents } from "#domain/platform/settings/read-setting"
import type { Charge } from "#domain/selling/charges/charge"
import type { Protection } from "#kit/protection"
import type { UnmatchedPayment } from "./unmatched-payment.ts"

interface Decision {
  unmatched: UnmatchedPayment
  admin: Actor
  adminNotes: string
  protection: Protection
}

/**
 * A seller whom an administrator picks gets money that nothing ties to them: two agree, for any amount. Where a charge names
 * the seller, only a large amount needs two. Call it under the unmatched payment's lock.
 */
export async function askAboutCredit(
  tx: Tx,
  decision: Decision,
  { charge, isChosen }: { charge: Charge; isChosen: boolean },
  now: Date,
): Promise<SecondApproval | null> {
  const { unmatched, admin, protection } = decision
  const isGrave = isChosen || (await isLarge(tx, charge.amountCents))
  if (protection === "relaxed" || !isGrave) return null
  const seller = await getUser(tx, charge.sellerId)
  const changes = [
    { field: "amount", before: null, after: reaisFromCents(charge.amountCents) },
    { field: "sellerId", before: null, after: isChosen ? seller.id : null },
    { field: "seller", before: null, after: seller.name },
    { field: "email", before: null, after: seller.email },
    ...notesOf(decision),
  ]
  const about = { act: "unmatched_payment.accept", subjectId: unmatched.id, subjectName: unmatched.endToEndId } as const
  return (await askSecondPerson(tx, { ...about, changes, by: admin, protection }, now)).waits
}

/** The money goes back to the account that paid it: only a large amount needs two. */
export async function askAboutReturn(
  tx: Tx,
  decision: Decision,
  amountCents: Cents,
  now: Date,
): Promise<SecondApproval | null> {
  const { unmatched, admin, protection } = decision
  if (protection === "relaxed" || !(await isLarge(tx, amountCents))) return null
  const changes = [{ field: "amount", before: null, after: reaisFromCents(amountCents) }, ...notesOf(decision)]
  const about = { act: "unmatched_payment.return", subjectId: unmatched.id, subjectName: unmatched.endToEndId } as const
  return (await askSecondPerson(tx, { ...about, changes, by: admin, protection }, now)).waits
}

async function isLarge(tx: Tx, amountCents: Cents): Promise<boolean> {
  const aboveCents = await readSecondApprovalAboveCents(tx)
  return aboveCents !== null && amountCents > aboveCents
}

function notesOf({ adminNotes }: Decision) {
  return adminNotes === "" ? [] : [{ field: "adminNotes", before: null, after: adminNotes }]
}
