import type { ChargePageStatus } from "@tilinta/contract/vocabulary/charge-page-status"
import type { ErrorCode } from "@tilinta/contract/vocabulary/error-codes"
import { executeOne } from "#db/one-statement"
import type { Db } from "#db/transaction"
import { statusAt } from "#domain/selling/charge-pages/charge-page"
import { findPagesToChargeById, type PageToCharge } from "#domain/selling/charge-pages/find-public-charge-page"
import { DomainError } from "#kit/domain-error"
import type { AskedCharge } from "./charge.ts"
import { findChargeRow } from "./charges-repository.ts"
import { findChargesByKeys, insertChargesOnce } from "./new-charges-repository.ts"

/** The draft, or what its key created before. A refusal does not affect the rest of the batch. */
export type StoredOrRefused = AskedCharge | DomainError

/** Writes in one statement. Only drafts that it left out need further reads. */
export async function storeCharges(db: Db, drafts: readonly AskedCharge[]): Promise<StoredOrRefused[]> {
  const stored = await executeOne(db, insertChargesOnce(drafts))
  const others = drafts.filter(({ id }) => !stored.has(id))
  if (others.length === 0) return [...drafts]
  const winners = await findWinners(db, others)
  const pages = await findPagesToChargeById(
    db,
    others.map(({ pageId }) => pageId),
  )
  const outcomes: StoredOrRefused[] = []
  for (const draft of drafts) {
    const page = pages[others.indexOf(draft)] ?? null
    outcomes.push(stored.has(draft.id) ? draft : await findStored(db, draft, { winners, page }))
  }
  return outcomes
}

async function findWinners(db: Db, drafts: readonly AskedCharge[]): Promise<AskedCharge[]> {
  const keys = drafts.flatMap(({ pageId, idempotencyKey }) =>
    idempotencyKey === null ? [] : [{ pageId, key: idempotencyKey }],
  )
  return keys.length === 0 ? [] : findChargesByKeys(db, keys)
}

interface Found {
  winners: readonly AskedCharge[]
  page: PageToCharge | null
}

/**
 * Another request was faster with the same key, or this is the retry of a commit whose answer was lost. Otherwise it is
 * refused.
 */
async function findStored(db: Db, draft: AskedCharge, { winners, page }: Found): Promise<StoredOrRefused> {
  const { pageId, idempotencyKey } = draft
  const winner = winners.find((one) => one.pageId === pageId && one.idempotencyKey === idempotencyKey)
  if (winner !== undefined) return sameRequest(winner, draft)
  const own = await findChargeRow(db, draft.id)
  return own?.status === "creating" ? draft : refusalOf(draft, page)
}

const refusalOfStatus = {
  active: "charge_page_changed",
  completed: "charge_page_already_paid",
  expired: "public_charge_page_not_found",
  cancelled: "public_charge_page_not_found",
} as const satisfies Record<ChargePageStatus, ErrorCode>

function refusalOf(draft: AskedCharge, page: PageToCharge | null): DomainError {
  if (page?.isSuspended) return new DomainError("charge_page_suspended")
  return new DomainError(
    page === null ? "public_charge_page_not_found" : refusalOfStatus[statusAt(page, draft.createdAt)],
  )
}

export function sameRequest(known: AskedCharge, draft: AskedCharge): StoredOrRefused {
  const isSame = draft.requestHash?.equals(known.requestHash ?? Buffer.alloc(0)) ?? false
  return isSame ? known : new DomainError("idempotency_key_reused")
}
