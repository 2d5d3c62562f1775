import { approvalRefusals } from "@tilinta/contract/api/admin-withdrawals-endpoints"
import type { Tx } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { claimIdempotencyKey } from "#domain/platform/idempotency/claim-idempotency-key"
import { DomainError } from "#kit/domain-error"
import { isId, newId } from "#kit/ids"
import type { Psp } from "#psp/psp"
import { isFirstApprover } from "./approve-together.ts"
import { approve } from "./decide-withdrawal.ts"
import { findListedWithdrawals, type ListedWithdrawal, type NamedLists } from "./list-withdrawals.ts"

interface Deps extends NamedLists {
  psp: Pick<Psp, "payouts">
}

interface Batch {
  ids: readonly string[]
  admin: Actor
  adminNotes: string
  /** The same key with the same input returns the first result, and finishes what it left undone. */
  idempotencyKey: string | null
}

type Refusal = (typeof approvalRefusals)[number]

export interface Approval {
  id: string
  /** Null when it was approved. */
  refusal: Refusal | null
  /** True when this was the first of two approvals: the refusal then names what is missing. */
  isHalf: boolean
  /** The present state, whoever caused it. */
  withdrawal: ListedWithdrawal | null
}

/** Approves each independently: one that can't be approved, or that somebody else decided first, stops no other. */
export async function approveWithdrawals(deps: Deps, batch: Batch): Promise<Approval[]> {
  const ids = [...new Set(batch.ids)]
  await deps.db.transaction().execute((tx) => claimBatch(tx, batch, ids))
  const outcomes = new Map<string, Outcome>()
  for (const id of ids) outcomes.set(id, await approveOne(deps, batch, id))
  const now = await findListedWithdrawals(deps, ids.filter(isId))
  return ids.map((id) => ({
    id,
    ...(outcomes.get(id) ?? approved),
    withdrawal: now.find((withdrawal) => withdrawal.id === id) ?? null,
  }))
}

async function claimBatch(tx: Tx, { admin, adminNotes, idempotencyKey }: Batch, ids: string[]): Promise<void> {
  const request = { approvals: { ids, adminNotes } }
  await claimIdempotencyKey(tx, { ownerId: admin.id, key: idempotencyKey, request, resourceId: newId() })
}

type Outcome = Pick<Approval, "refusal" | "isHalf">

const approved: Outcome = { refusal: null, isHalf: false }
const half: Outcome = { refusal: "second_approver_needed", isHalf: true }

async function approveOne({ db, clock, psp, protection }: Deps, batch: Batch, id: string): Promise<Outcome> {
  const now = clock.now()
  const decision = { id, admin: batch.admin, adminNotes: batch.adminNotes, sendsPix: psp.payouts !== null, protection }
  const key = batch.idempotencyKey === null ? null : `${batch.idempotencyKey}:${id}`
  try {
    return await db.transaction().execute((tx) => approveOnce(tx, { ...decision, key }, now))
  } catch (error) {
    const refusal = approvalRefusals.find((code) => error instanceof DomainError && error.code === code)
    if (refusal === undefined) throw error
    return { refusal, isHalf: false }
  }
}

type Order = Parameters<typeof approve>[1] & { key: string | null }

/** A refusal stores no key, so a known key means approval, or a first one that still waits. */
async function approveOnce(tx: Tx, { key, ...decision }: Order, now: Date): Promise<Outcome> {
  const approvalId = newId()
  const { id, admin, adminNotes } = decision
  const request = { approval: { id, adminNotes } }
  const firstId = await claimIdempotencyKey(tx, { ownerId: admin.id, key, request, resourceId: approvalId })
  if (firstId !== approvalId) return (await isFirstApprover(tx, id, admin, now)) ? half : approved
  return (await approve(tx, decision, now)).waits === null ? approved : half
}
