import { addCents, noMoney, reaisText, subtractCents } from "@tilinta/contract/vocabulary/money"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { brokenRule, DomainError, invariant } from "#kit/errors"
import { isId, newId } from "#kit/ids"
import type { SecretKeys } from "#kit/secrets"
import { feeRevenue } from "#ledger/accounts"
import { isBelowFloor, lockBalances } from "#ledger/post-transactions"
import { readDebts } from "#ledger/reads"
import { postDrawing } from "#money/reserves/move"
import { othersWhoAgree, requireTrusted, trustedApprovers } from "#people/second-approvals/approve"
import { findPeople } from "#people/users/change-user"
import { getUser, type UserName } from "#people/users/reads"
import { type NameUsers, nameIn } from "#people/users/user-names"
import type { Actor } from "#platform/audit/rules"
import { claimIdempotencyKey } from "#platform/idempotency/claim"
import { notifyAdmins, notifyOwner } from "#platform/mails/notify-owner"
import { actOnOrder, renewMacs, requireAuthentic } from "#platform/order-macs/macs"
import { findEntries, findEntry, findReversedEvent, sumReversals } from "./reads.ts"
import { type ManualEntry, manualEntryPostings, proposalOrder, recordEntry } from "./rules.ts"
import {
  insertEntry,
  lockEntry,
  lockEvent,
  lockProposalsOfFormerKey,
  lockWaitingOf,
  markBooked,
  markRefused,
  saveProposalMac,
} from "./table.ts"

type Facts = Pick<
  ManualEntry,
  "kind" | "direction" | "amountCents" | "provider" | "sellerId" | "reason" | "reference" | "reverses"
>

interface CreateEntryInput extends Facts {
  admin: Actor
  idempotencyKey: string | null
}

/** Books at once where there is no other administrator; else it waits for one of them. */
export async function createEntry(
  { db, clock }: { db: Db; clock: Clock },
  input: CreateEntryInput,
): Promise<ManualEntry> {
  const now = clock.now()
  return db.transaction().execute((tx) => create(tx, input, now))
}

async function create(tx: Tx, { admin, idempotencyKey, ...facts }: CreateEntryInput, now: Date): Promise<ManualEntry> {
  const id = newId()
  const claim = { ownerId: admin.id, key: idempotencyKey, request: { manualEntry: facts }, resourceId: id }
  const first = await claimIdempotencyKey(tx, claim)
  if (first !== id) return known(tx, first)
  await refuseUnknownSeller(tx, facts.sellerId)
  if (facts.sellerId === admin.id) throw new DomainError("own_correction")
  const approvers = await trustedApprovers(tx, now)
  requireTrusted(approvers, admin.id)
  const isAlone = othersWhoAgree(approvers, admin.id, facts.sellerId).length === 0
  const entry: ManualEntry = {
    ...facts,
    id,
    createdBy: admin.id,
    createdAt: now,
    approvedBy: null,
    bookedAt: isAlone ? now : null,
    refusedBy: null,
    refusedAt: null,
    mac: null,
  }
  await refuseReversal(tx, entry)
  await insertEntry(tx, entry)
  if (isAlone) await bookEntry(tx, entry, now)
  else await refuseAboveFees(tx, entry)
  await recordEntry(tx, isAlone ? "manual_entry.booked" : "manual_entry.proposed", entry, { by: admin, now })
  await notifyOfEntry(tx, entry, admin, now)
  return entry
}

async function known(tx: Tx, id: string): Promise<ManualEntry> {
  const entry = await findEntry(tx, id)
  invariant(entry !== null, `entry ${id} has a key and no row`)
  return entry
}

async function refuseUnknownSeller(tx: Tx, sellerId: string | null): Promise<void> {
  if (sellerId === null) return
  const people = isId(sellerId) ? await findPeople(tx, [sellerId]) : new Map()
  if (!people.has(sellerId)) throw brokenRule("sellerId", "Vendedor não encontrado.")
}

interface Approval {
  id: string
  admin: Actor
}

/** The second administrator's word books it, while the first one's counts. */
export async function approveEntry({ db, clock }: { db: Db; clock: Clock }, approval: Approval): Promise<ManualEntry> {
  if (!isId(approval.id)) throw new DomainError("not_found")
  const now = clock.now()
  return actOnOrder({ db, clock }, (tx) => approve(tx, approval, now))
}

async function approve(tx: Tx, { id, admin }: Approval, now: Date): Promise<ManualEntry> {
  const entry = await lockEntry(tx, id)
  if (entry === null) throw new DomainError("not_found")
  if (entry.bookedAt !== null) throw new DomainError("manual_entry_booked")
  if (entry.refusedAt !== null) throw new DomainError("manual_entry_refused")
  if (entry.createdBy === admin.id) throw new DomainError("second_approver_needed")
  if (entry.sellerId === admin.id) throw new DomainError("own_correction")
  const approvers = await trustedApprovers(tx, now)
  requireTrusted(approvers, admin.id)
  requireAuthentic(proposalOrder(entry), entry.mac)
  if (!approvers.trusted.includes(entry.createdBy)) throw new DomainError("manual_entry_orphaned")
  const booked = { ...entry, approvedBy: admin.id, bookedAt: now }
  await markBooked(tx, id, booked)
  await bookEntry(tx, booked, now)
  await recordEntry(tx, "manual_entry.booked", booked, { by: admin, now })
  await notifyOfEntry(tx, booked, admin, now)
  return booked
}

interface Refusal {
  id: string
  admin: Actor
}

/** Ends a waiting entry: its author withdraws it, or another administrator refuses it. Nothing is booked. */
export async function refuseEntry({ db, clock }: { db: Db; clock: Clock }, refusal: Refusal): Promise<ManualEntry> {
  if (!isId(refusal.id)) throw new DomainError("not_found")
  const now = clock.now()
  return db.transaction().execute((tx) => refuse(tx, refusal, now))
}

async function refuse(tx: Tx, { id, admin }: Refusal, now: Date): Promise<ManualEntry> {
  const entry = await lockEntry(tx, id)
  if (entry === null) throw new DomainError("not_found")
  if (entry.bookedAt !== null) throw new DomainError("manual_entry_booked")
  if (entry.refusedAt !== null) return entry
  requireTrusted(await trustedApprovers(tx, now), admin.id)
  const refused = { ...entry, refusedBy: admin.id, refusedAt: now }
  await markRefused(tx, id, { by: admin.id, now })
  await recordEntry(tx, "manual_entry.refused", refused, { by: admin, now })
  await notifyOfEntry(tx, refused, admin, now)
  return refused
}

/** Ends the waiting proposals of a person who is trusted no more, as if they had withdrawn them. */
export async function dropProposalsOf(tx: Tx, createdBy: string, now: Date): Promise<void> {
  for (const entry of await lockWaitingOf(tx, createdBy)) {
    await markRefused(tx, entry.id, { by: createdBy, now })
    const dropped = { ...entry, refusedBy: createdBy, refusedAt: now }
    await recordEntry(tx, "manual_entry.refused", dropped, { by: null, now })
  }
}

/** For a rotation of SECRETS_KEY; how many proposals got another MAC. */
export async function renewProposalMacs(tx: Tx, secretKeys: SecretKeys): Promise<number> {
  const rows = await lockProposalsOfFormerKey(tx, secretKeys)
  return renewMacs(secretKeys, { rows, orderOf: proposalOrder, save: ({ id }, mac) => saveProposalMac(tx, id, mac) })
}

/** Sellers' debts are paid with other sellers' money until the fees make up for them. */
async function refuseAboveFees(
  tx: Tx,
  { kind, amountCents }: Pick<ManualEntry, "kind" | "amountCents">,
): Promise<void> {
  if (kind !== "own_payout") return
  const held = await lockBalances(tx, [feeRevenue])
  const freeCents = addCents(held.get(feeRevenue) ?? noMoney, await readDebts(tx))
  if (amountCents <= freeCents) return
  const left = freeCents > noMoney ? freeCents : noMoney
  throw new DomainError("own_payout_above_fees", {
    message: `As taxas, menos as dívidas de vendedores, são ${reaisText(left)}. A retirada não pode passar disso.`,
  })
}

async function bookEntry(tx: Tx, entry: ManualEntry, now: Date): Promise<void> {
  await refuseAboveFees(tx, entry)
  try {
    await postDrawing(tx, [manualEntryPostings(entry, now)])
  } catch (error) {
    if (isBelowFloor(error)) throw new DomainError("insufficient_balance", { cause: error })
    throw error
  }
}

/** An entry reverses only what was booked, of its own seller, and all of them together never more than its amount. */
async function refuseReversal(
  tx: Tx,
  { reverses, amountCents, sellerId }: Pick<ManualEntry, "reverses" | "amountCents" | "sellerId">,
): Promise<void> {
  if (reverses === null) return
  const event = await findReversedEvent(tx, reverses)
  if (event === null) {
    throw brokenRule("reverses", "Não há nada lançado com este nome: informe o endToEndId ou o id do que é corrigido.")
  }
  if (sellerId !== null && event.sellerId !== null && event.sellerId !== sellerId) {
    throw brokenRule("reverses", "Este lançamento é de outro vendedor.")
  }
  await lockEvent(tx, event.names.toSorted().join(" "))
  const earlier = await sumReversals(tx, event.names)
  if (addCents(earlier, amountCents) <= event.amountCents) return
  const left = reaisText(subtractCents(event.amountCents, earlier))
  throw new DomainError("event_corrected", { message: `Deste lançamento só falta corrigir ${left}.` })
}

/** Every administrator hears, also the one who did it: a stolen session must not book unheard. A corrected seller, too. */
async function notifyOfEntry(tx: Tx, entry: ManualEntry, by: Actor, now: Date): Promise<void> {
  const { id, kind, amountCents, reason, bookedAt, refusedAt, sellerId, direction } = entry
  const isBooked = bookedAt !== null
  const isRefused = refusedAt !== null
  const step = isBooked ? "booked" : isRefused ? "refused" : "proposed"
  const { name } = await getUser(tx, by.id)
  const happenedAt = now.toISOString()
  const notice = {
    kind: "manual_entry",
    isBooked,
    isRefused,
    entry: kind,
    amountCents,
    reason,
    by: name,
    happenedAt,
  } as const
  await notifyAdmins(tx, { notice, dedupeKey: `manual-entry:${id}:${step}` }, now)
  if (!isBooked || sellerId === null) return
  const isCredit = direction === "credit"
  const corrected = { kind: "balance_corrected", isCredit, amountCents, reason, correctedAt: happenedAt } as const
  await notifyOwner(tx, { userId: sellerId, notice: corrected, dedupeKey: `balance-corrected:${id}` }, now)
}

export interface NamedEntry extends ManualEntry {
  seller: UserName | null
  creator: UserName
  approver: UserName | null
  refuser: UserName | null
}

interface Deps {
  db: Db
  nameUsers: NameUsers
}

/** Entries of people, newest first. */
export async function listEntries(
  deps: Deps,
  input: { after: string | null; limit: number },
): Promise<{ entries: NamedEntry[]; next: string | null }> {
  const found = await findEntries(deps.db, { ...input, limit: input.limit + 1 })
  const entries = await nameEntries(deps, found.slice(0, input.limit))
  return { entries, next: found.length > input.limit ? (entries.at(-1)?.id ?? null) : null }
}

export async function nameEntries({ nameUsers }: Deps, entries: readonly ManualEntry[]): Promise<NamedEntry[]> {
  const ids = entries.flatMap((each) =>
    [each.sellerId, each.createdBy, each.approvedBy, each.refusedBy].filter((id) => id !== null),
  )
  const names = await nameUsers(ids)
  const named = (id: string | null) => (id === null ? null : nameIn(names, id))
  return entries.map((each) => ({
    ...each,
    seller: named(each.sellerId),
    creator: nameIn(names, each.createdBy),
    approver: named(each.approvedBy),
    refuser: named(each.refusedBy),
  }))
}
