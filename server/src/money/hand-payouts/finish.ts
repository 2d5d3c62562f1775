import type { Tx } from "#db/transaction"
import { type Day, dayText } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { endOpenEntry } from "#money/remittances/entries"
import { findOpenEntry } from "#money/remittances/reads"
import type { Withdrawal } from "#money/withdrawals/withdrawal"
import { findPeople } from "#people/users/change-user"
import { momentText } from "#platform/mails/mail-content"
import { findNamedDebit } from "./reads.ts"
import { type Claim, endOfClaim, type HandPayout, isClaimed, isSilent } from "./rules.ts"
import { getHandPayout, isBankIdUsed, saveHandPayout } from "./table.ts"

interface Ending {
  withdrawalId: string
  adminId: string
  now: Date
  /** The line of a remittance whose return is being read: it waits for none. */
  answered?: { sequence: number; line: number } | null
}

/** Returns the payment as it is known. The caller holds the withdrawal's lock. @throws withdrawal_claimed */
export async function requireUnclaimed(
  tx: Tx,
  { withdrawalId, adminId, now, answered = null }: Ending,
): Promise<HandPayout | null> {
  const entry = await findOtherEntry(tx, withdrawalId, answered)
  if (entry !== null && !isSilent(entry, now)) {
    const message = `Este saque está na remessa ${entry.sequence}, de ${momentText(entry.at.toISOString())}: espere o retorno do banco.`
    throw new DomainError("withdrawal_claimed", { message })
  }
  const payout = await getHandPayout(tx, withdrawalId)
  if (payout === null || payout.claimedBy === adminId || !isClaimed(payout, now)) return payout
  const { claimedBy, claimedAt } = payout
  const name = claimedBy === null ? undefined : (await findPeople(tx, [claimedBy])).get(claimedBy)?.name
  const until = claimedAt === null ? "" : ` até ${momentText(endOfClaim(claimedAt).toISOString())}`
  throw new DomainError("withdrawal_claimed", {
    message: `${name ?? "Outro administrador"} está pagando este saque${until}. Não pague.`,
  })
}

async function findOtherEntry(tx: Tx, withdrawalId: string, answered: Ending["answered"]) {
  const entry = await findOpenEntry(tx, withdrawalId)
  const isAnswered = entry?.sequence === answered?.sequence && entry?.line === answered?.line
  return isAnswered ? null : entry
}

type Doubt =
  | { why: "debited"; day: Day }
  | { why: "remitted"; sequence: number; by: Claim["by"]; at: Date }
  | { why: "begun"; by: Claim["by"]; at: Date }

interface Doubtful extends Pick<Ending, "answered"> {
  withdrawal: Pick<Withdrawal, "id" | "approvedAt">
  /** Null also where whoever began is asking. */
  payout: HandPayout | null
}

/** Why it may have been paid though nobody said so; null where nothing speaks for it. The caller holds the withdrawal's lock. */
export async function findDoubt(tx: Tx, { withdrawal, payout, answered }: Doubtful): Promise<Doubt | null> {
  const day = await findNamedDebit(tx, withdrawal)
  if (day !== null) return { why: "debited", day }
  const entry = await findOtherEntry(tx, withdrawal.id, answered)
  if (entry !== null) return { why: "remitted", ...entry }
  const { claimedBy = null, claimedAt = null } = payout ?? {}
  if (claimedBy === null || claimedAt === null) return null
  const name = (await findPeople(tx, [claimedBy])).get(claimedBy)?.name ?? "Outro administrador"
  return { why: "begun", by: { id: claimedBy, name }, at: claimedAt }
}

export function doubtText(doubt: Doubt): string {
  if (doubt.why === "debited") return `O extrato importado já mostra o pagamento deste saque, de ${dayText(doubt.day)}`
  const at = momentText(doubt.at.toISOString())
  if (doubt.why === "begun") return `${doubt.by.name} começou a pagar este saque em ${at} e não disse se pagou`
  return `Este saque foi na remessa ${doubt.sequence}, de ${at}, que ainda não teve retorno`
}

interface GivingBack extends Omit<Ending, "withdrawalId"> {
  withdrawal: Pick<Withdrawal, "id" | "status" | "approvedAt">
  /** The administrator has looked at the bank: it was not paid, whatever speaks for it. */
  isChecked: boolean
}

/**
 * Returns the payment as it is known. The caller holds the withdrawal's lock.
 * @throws withdrawal_claimed, and withdrawal_held while somebody must look at the bank first
 */
export async function requireUnpaid(
  tx: Tx,
  { withdrawal, isChecked, ...giving }: GivingBack,
): Promise<HandPayout | null> {
  const { adminId, answered = null } = giving
  const payout = await requireUnclaimed(tx, { ...giving, withdrawalId: withdrawal.id })
  if (withdrawal.status !== "approved" || isChecked) return payout
  // A return that is read says nothing of what its reader is paying themselves.
  const isOwn = payout?.claimedBy === adminId && !answered
  const doubt = await findDoubt(tx, { withdrawal, payout: isOwn ? null : payout, answered })
  if (doubt === null) return payout
  throw new DomainError("withdrawal_held", {
    message: `${doubtText(doubt)}. Confira no banco: só se devolve o que não foi pago.`,
  })
}

/** Nobody is paying it any more: it was not paid. The caller holds the withdrawal's lock. */
export async function endClaim(tx: Tx, payout: HandPayout): Promise<void> {
  await saveHandPayout(tx, { ...payout, claimedBy: null, claimedAt: null })
}

interface Paid extends Ending {
  bankId: string | null
  /** The bank shows that it was paid, so nobody else can be about to. */
  provenBy: "statement" | "return" | null
}

/** The caller holds the withdrawal's lock. @throws bank_id_used one transfer pays one withdrawal */
export async function recordHandPayout(tx: Tx, { bankId, provenBy, ...ending }: Paid): Promise<void> {
  const { withdrawalId } = ending
  if (provenBy === null) await requireUnclaimed(tx, ending)
  if (provenBy === "statement") await endOpenEntry(tx, withdrawalId, "paid")
  if (bankId !== null && (await isBankIdUsed(tx, { withdrawalId, bankId }))) throw new DomainError("bank_id_used")
  await saveHandPayout(tx, { withdrawalId, claimedBy: null, claimedAt: null, bankId })
}
