import { hasVisible } from "@tilinta/contract/vocabulary/payer-data"
import type { DestinationOwner, SaidOwner } from "@tilinta/contract/vocabulary/withdrawals"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { isId } from "#kit/ids"
import type { Protection } from "#kit/request-scope"
import type { SecretKeys } from "#kit/secrets"
import { maskedDestination, targetOf, type Withdrawal } from "#money/withdrawals/withdrawal"
import { askSecondPerson } from "#people/second-approvals/approve"
import type { SecondApproval } from "#people/second-approvals/rules"
import { findOwnCnpj } from "#people/shops/reads"
import { lockAdminAnd } from "#people/users/change-user"
import { getUser } from "#people/users/reads"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { notifyOwner } from "#platform/mails/notify-owner"
import { renewMacs } from "#platform/order-macs/macs"
import { findOwners, type SignedWord } from "./reads.ts"
import { documentOf, isHolder, ownerOrder, type ShownHolder, type UsedDestination } from "./rules.ts"
import { lockDestination, lockWordsOfFormerKey, saveOwner, saveOwnerMac } from "./table.ts"

interface Deps {
  db: Db
  clock: Clock
}

interface PersonsWord {
  sellerId: string
  id: string
  /** 'unknown' takes an earlier word back. */
  owner: Exclude<SaidOwner, "confirmed_by_bank"> | "unknown"
  reason: string
  admin: Actor
}

interface SaidOfOwner {
  owner: DestinationOwner
  /** The first approval, when another administrator must agree; null once the word counts. */
  waits: SecondApproval | null
}

/** One person may always distrust; trusting, and taking a word back, takes two where protection is strict. */
export async function sayOwner(
  { db, clock, protection }: Deps & { protection: Protection },
  word: PersonsWord,
): Promise<SaidOfOwner> {
  if (!isId(word.sellerId)) throw new DomainError("user_not_found")
  if (!isId(word.id)) throw new DomainError("not_found")
  const now = clock.now()
  return db.transaction().execute((tx) => sayOnce(tx, { ...word, protection }, now))
}

async function sayOnce(tx: Tx, word: PersonsWord & { protection: Protection }, now: Date): Promise<SaidOfOwner> {
  const { used, waits } = await say(tx, word, now)
  const about = { id: used.id, sellerId: used.sellerId, destination: used.destination, createdAt: now }
  return { owner: (await findOwners(tx, [about])).get(used.id)?.owner ?? "unknown", waits }
}

async function say(
  tx: Tx,
  { sellerId, id, owner, reason, admin, protection }: PersonsWord & { protection: Protection },
  now: Date,
): Promise<{ used: UsedDestination; waits: SecondApproval | null }> {
  const seller = await lockAdminAnd(tx, admin.id, sellerId)
  if (seller === null) throw new DomainError("user_not_found")
  if (sellerId === admin.id) throw new DomainError("own_account", { message: ownDestination })
  const used = await lockDestination(tx, { id, sellerId })
  if (used === null) throw new DomainError("not_found")
  const before = used.saidOwner ?? "unknown"
  if (before === owner) return { used, waits: null }
  if (owner !== "other") {
    const changes = [
      { field: "destinationId", before: null, after: id },
      { field: "destination", before: null, after: maskedDestination(used.destination) },
      { field: "owner", before, after: owner },
      { field: "reason", before: null, after: reason },
    ]
    const about = { act: "destination.owner", subjectId: sellerId, subjectName: seller.name, changes } as const
    const { waits } = await askSecondPerson(tx, { ...about, by: admin, protection }, now)
    if (waits !== null) return { used, waits }
  }
  await keepWord(tx, used, { owner: owner === "unknown" ? null : owner, reason, by: admin }, now)
  return { used, waits: null }
}

const ownDestination = "Você não pode dizer de quem é um destino seu. Peça a outro administrador."

interface Word {
  owner: SaidOwner | null
  reason: string
  /** Null for the bank's own answer. */
  by: Actor | null
}

/** The caller holds the destination's lock. */
async function keepWord(tx: Tx, used: UsedDestination, { owner, reason, by }: Word, now: Date): Promise<void> {
  const { id, sellerId, firstUsedAt, saidOwner } = used
  const target = targetOf(used.destination)
  await saveOwner(tx, { id, sellerId, target, firstUsedAt, owner, reason, by: by?.id ?? null, at: now })
  const destination = maskedDestination(used.destination)
  await recordAudit(tx, {
    actor: by,
    happenedAt: now,
    action: "destination.owner_said",
    entity: "user",
    entityId: sellerId,
    before: { destination, owner: saidOwner ?? "unknown" },
    after: { destination, owner: owner ?? "unknown", reason },
  })
  // A holder that the bank confirms is what everybody expects.
  if (owner === "confirmed_by_bank") return
  const notice = {
    kind: "destination_owner",
    destination,
    owner: owner ?? "unknown",
    saidAt: now.toISOString(),
  } as const
  await notifyOwner(tx, { userId: sellerId, notice }, now)
}

interface Shown {
  withdrawal: Withdrawal
  holder: ShownHolder
  admin: Actor
}

/**
 * Compares the holder whom the bank's app shows with the seller, before anything is paid. Another person's destination stays
 * so until somebody takes that back; nobody's word is needed where it is known to be the seller's.
 */
export async function compareHolder(tx: Tx, { withdrawal, holder, admin }: Shown, now: Date): Promise<void> {
  const { sellerId, destination } = withdrawal
  if (documentOf(destination) !== null) return
  const used = await lockUnknown(tx, withdrawal)
  if (used === null) return
  const { name, cpf } = await getUser(tx, sellerId)
  const company = await findOwnCnpj(tx, sellerId)
  const cnpj = company !== null && company.since <= withdrawal.createdAt ? company.cnpj : null
  const isOwn = isHolder(holder, { name, cpf, cnpj })
  const shown = [holder.name, holder.document].filter(hasVisible).join(", ")
  const word = { owner: isOwn ? "confirmed_by_bank" : "other", reason: `O banco mostrou: ${shown}`, by: admin } as const
  await keepWord(tx, used, word, now)
}

/** The bank itself compared the holder's document, and paid. */
export async function keepBanksAnswer(tx: Tx, withdrawal: Withdrawal, now: Date): Promise<void> {
  const used = await lockUnknown(tx, withdrawal)
  if (used === null) return
  await keepWord(tx, used, { owner: "confirmed_by_bank", reason: "O banco conferiu ao pagar", by: null }, now)
}

/** Null where it is known whose the destination is, or it is kept no more. */
async function lockUnknown(tx: Tx, withdrawal: Withdrawal): Promise<UsedDestination | null> {
  const found = (await findOwners(tx, [withdrawal])).get(withdrawal.id)
  const id = found?.destinationId ?? null
  if (id === null || found?.owner !== "unknown") return null
  const used = await lockDestination(tx, { id, sellerId: withdrawal.sellerId })
  return used?.saidOwner === null ? used : null
}

/** For a rotation of SECRETS_KEY; how many words got other MACs. */
export async function renewOwnerMacs(tx: Tx, secretKeys: SecretKeys): Promise<number> {
  const rows = await lockWordsOfFormerKey(tx, secretKeys)
  return renewMacs<SignedWord>(secretKeys, {
    rows,
    orderOf: ownerOrder,
    save: ({ id }, mac) => saveOwnerMac(tx, id, mac),
  })
}
