import type { CustomerInfoBody } from "@tilinta/contract/payments"
import { sentFields } from "@tilinta/contract/vocabulary/payer-data"
import { type Db, executeOne, type Tx } from "#db/transaction"
import { DomainError } from "#kit/errors"
import type { Protection } from "#kit/request-scope"
import { refuseMisleading } from "#people/users/misleading-names"
import { getUser } from "#people/users/reads"
import { claimIdempotencyKey, moveIdempotencyKey } from "#platform/idempotency/claim"
import { readTermsOf } from "#selling/charge-pages/reads"
import type { ChargePage, Order } from "#selling/charge-pages/rules"
import {
  draftSinglePage,
  insertSinglePage,
  readSinglePage,
  type SinglePageInput,
} from "#selling/charge-pages/single-page"
import { insertChargesOnce, insertCounterSale } from "./new-charges-table.ts"
import { openAtProvider, type ProviderDeps } from "./open.ts"
import { findPageCharge } from "./reads.ts"
import { checkedPayerData, draftCharge, type OpenCharge, type PageCharge } from "./rules.ts"

type Deps = ProviderDeps & { db: Db; protection: Protection }

export interface SingleChargeInput extends SinglePageInput {
  payer: CustomerInfoBody
  /** The same key with the same input returns the charge created first. */
  idempotencyKey: string | null
  /** Asked before the bank is. */
  refuseNew: () => DomainError | null
}

export interface SingleCharge {
  charge: OpenCharge
  uniqueLink: string
  order: Order
}

/**
 * One charge on a page of its own. Page, order and charge are stored together before the provider is asked; if it never
 * answers, or the process dies, they end together.
 * @throws email_not_confirmed, external_reference_taken, idempotency_key_reused, psp_refused, psp_unavailable, validation_failed
 */
export async function createSingleCharge(deps: Deps, input: SingleChargeInput): Promise<SingleCharge> {
  return deps.chargeSteps.admit(() => createAdmitted(deps, input))
}

async function createAdmitted(deps: Deps, input: SingleChargeInput): Promise<SingleCharge> {
  const draft = await draftSingle(deps, input)
  const { title, description } = draft.page
  await refuseMisleading(deps, { userId: input.sellerId, texts: { description: `${title}\n${description}` } })
  await requireOpenSeller(deps, input.sellerId)
  const refusal = input.refuseNew()
  if (refusal !== null) throw refusal
  const stored = await deps.db.transaction().execute((tx) => storeSingle(tx, draft, input))
  const charge = await openStored(deps, stored, input)
  if (charge === null) throw new DomainError("charge_page_changed")
  return { charge, ...(await readSinglePage(deps.db, charge.pageId)) }
}

/** The page of a single charge is public at once. */
async function requireOpenSeller({ db, protection }: Deps, sellerId: string): Promise<void> {
  if (protection === "relaxed") return
  const { emailState } = await getUser(db, sellerId)
  if (emailState === "unconfirmed") throw new DomainError("email_not_confirmed")
}

/** The default words are for payers; this is for the seller who asks. */
export const refusedSeller = "O banco recusou esta cobrança e nada foi cobrado. Fale com o suporte da plataforma."

/** Without a key nobody can ask for the same Pix again, so that an answer that was lost ends it at once. */
async function openStored(deps: Deps, stored: PageCharge, input: SingleChargeInput): Promise<OpenCharge | null> {
  try {
    return await openAtProvider(deps, stored)
  } catch (error) {
    const isLost = error instanceof DomainError && input.idempotencyKey === null
    const failed = { id: stored.id, pageId: stored.pageId, removal: "due_later", now: deps.clock.now() } as const
    if (isLost) await deps.chargeSteps.giveUp(failed)
    if (error instanceof DomainError && error.code === "psp_refused") {
      throw new DomainError("psp_refused", { message: refusedSeller, cause: error })
    }
    throw error
  }
}

interface Draft {
  page: ChargePage
  charge: PageCharge
}

async function draftSingle(deps: Deps, input: SingleChargeInput): Promise<Draft> {
  const now = deps.clock.now()
  const sent = sentFields.filter((field) => input.payer[field]?.trim())
  const payer = checkedPayerData(input.payer, sent, "payer")
  const page = draftSinglePage(input, now)
  const terms = await readTermsOf(deps.db, input.sellerId)
  const provider = deps.psp.name
  return { page, charge: draftCharge({ page: { ...page, terms }, payer, provider, idempotencyKey: null, now }) }
}

/** The draft, or what its key created before; of a charge that failed nothing is left, so its key makes another. */
async function storeSingle(tx: Tx, { page, charge }: Draft, input: SingleChargeInput): Promise<PageCharge> {
  const { idempotencyKey: key, refuseNew: _, delegate, ...request } = input
  const claim = { ownerId: page.sellerId, key, request, resourceId: charge.id }
  const firstId = await claimIdempotencyKey(tx, claim)
  if (firstId !== charge.id) {
    const first = await findPageCharge(tx, firstId)
    if (first !== null && first.status !== "failed") return first
    const isMoved = await moveIdempotencyKey(tx, claim, firstId)
    // Another request was faster: its charge is what the key stands for now.
    if (!isMoved) return storeSingle(tx, { page, charge }, input)
  }
  await insertSinglePage(tx, page, delegate)
  const stored = await executeOne(tx, insertChargesOnce([charge]))
  // Its seller was inactivated since the request began.
  if (!stored.has(charge.id)) throw new DomainError("unauthenticated")
  if (input.soldBy) await insertCounterSale(tx, charge, input.soldBy)
  return charge
}
