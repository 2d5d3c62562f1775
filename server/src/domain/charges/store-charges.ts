import type { Tx } from "#db/transaction"
import { statusAt } from "#domain/charge-pages/charge-page"
import { type HeldPage, holdChargePagesForCharges } from "#domain/charge-pages/hold-charge-page"
import { holdActiveUsers } from "#domain/users/hold-active-user"
import { DomainError } from "#kit/domain-error"
import type { AskedCharge } from "./charge.ts"
import { findChargeRow } from "./charges-repository.ts"
import { findChargesByKeys, insertChargesOnce } from "./new-charges-repository.ts"

/** What is stored now: the draft, or what its key made before. A refusal undoes nobody else's. */
export type StoredOrRefused = AskedCharge | DomainError

export async function storeCharges(tx: Tx, drafts: readonly AskedCharge[]): Promise<StoredOrRefused[]> {
  // The sellers before the pages: an inactivation locks in this order, and closes every charge that came before it.
  const sellers = await holdActiveUsers(
    tx,
    drafts.map((draft) => draft.sellerId),
  )
  const ofActive = drafts.filter((draft) => sellers.has(draft.sellerId))
  const pages = await holdChargePagesForCharges(
    tx,
    ofActive.map((draft) => draft.pageId),
  )
  const refusals = new Map(drafts.map((draft) => [draft.id, refusalOf(draft, pages.get(draft.pageId))]))
  const stored = await insertChargesOnce(
    tx,
    drafts.filter((draft) => refusals.get(draft.id) === null),
  )
  const others = drafts.filter(({ id }) => refusals.get(id) === null && !stored.has(id))
  const winners = await findWinners(tx, others)
  const outcomes: StoredOrRefused[] = []
  for (const draft of drafts) {
    const isStored = stored.has(draft.id)
    outcomes.push(refusals.get(draft.id) ?? (isStored ? draft : await findStored(tx, draft, winners)))
  }
  return outcomes
}

async function findWinners(tx: Tx, drafts: readonly AskedCharge[]): Promise<AskedCharge[]> {
  const keys = drafts.flatMap(({ pageId, idempotencyKey }) =>
    idempotencyKey === null ? [] : [{ pageId, key: idempotencyKey }],
  )
  return keys.length === 0 ? [] : findChargesByKeys(tx, keys)
}

function refusalOf(draft: AskedCharge, page: HeldPage | undefined): DomainError | null {
  const status = page === undefined ? null : statusAt(page, draft.createdAt)
  if (status === "completed") return new DomainError("charge_page_already_paid")
  if (status !== "active") return new DomainError("public_charge_page_not_found")
  return page?.amountCents === draft.amountCents ? null : new DomainError("psp_unavailable")
}

/** Somebody was faster with the same key, or we were: a commit whose answer got lost is tried again. */
async function findStored(tx: Tx, draft: AskedCharge, winners: readonly AskedCharge[]): Promise<StoredOrRefused> {
  const { pageId, idempotencyKey } = draft
  const winner = winners.find((one) => one.pageId === pageId && one.idempotencyKey === idempotencyKey)
  if (winner !== undefined) return sameRequest(winner, draft)
  const own = await findChargeRow(tx, draft.id)
  return own?.status === "creating" ? draft : new DomainError("psp_unavailable")
}

export function sameRequest(known: AskedCharge, draft: AskedCharge): StoredOrRefused {
  const isSame = draft.requestHash?.equals(known.requestHash ?? Buffer.alloc(0)) ?? false
  return isSame ? known : new DomainError("idempotency_key_reused")
}
