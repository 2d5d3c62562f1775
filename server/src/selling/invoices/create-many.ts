import { DESCRIPTION_MAX, REFERENCE_MAX } from "@tilinta/contract/charge-pages"
import { dueTermsOf, instalmentsOf, type SentTerms } from "@tilinta/contract/vocabulary/invoices"
import type { Tx } from "#db/transaction"
import { type Times, timesOf } from "#kit/clock"
import { brokenRule } from "#kit/errors"
import { newId } from "#kit/ids"
import { claimIdempotencyKey } from "#platform/idempotency/claim"
import { readTermsOf } from "#selling/charge-pages/reads"
import {
  type CodeDeps,
  type CreateCall,
  enter,
  type InvoiceDraft,
  insertNew,
  requireAllowed,
  requireOffered,
} from "./create.ts"
import { listSeries } from "./reads.ts"
import type { Invoice } from "./rules.ts"

type Shared = Omit<InvoiceDraft, "customer" | "terms">

/** The same for each customer; all of it or nothing. @throws as createInvoice */
export async function createForMany(
  deps: CodeDeps,
  call: CreateCall,
  { customerIds, terms, ...shared }: Shared & { customerIds: readonly string[]; terms: SentTerms },
): Promise<Invoice[]> {
  // In one order, as each customer is locked.
  const ids = [...new Set(customerIds)].toSorted()
  return createAll(
    deps,
    call,
    ids.map((id) => ({ ...shared, customer: { id }, terms: dueTermsOf(terms) })),
  )
}

/** One amount in monthly parts. @throws as createInvoice */
export async function createInstalments(
  deps: CodeDeps,
  call: CreateCall,
  { count, terms, ...draft }: Omit<InvoiceDraft, "terms"> & { count: number; terms: SentTerms },
): Promise<Invoice[]> {
  const { externalReference } = draft.order
  if (externalReference !== null && `${externalReference}-${count}`.length > REFERENCE_MAX) {
    throw brokenRule("externalReference", "A referência é longa demais para numerar as parcelas.")
  }
  return createAll(
    deps,
    call,
    instalmentsOf(terms, count).map((sent, index) => ({
      ...draft,
      terms: dueTermsOf(sent),
      description: numbered(draft.description, `${index + 1}/${count}`),
      order: {
        ...draft.order,
        externalReference: externalReference === null ? null : `${externalReference}-${index + 1}`,
      },
    })),
  )
}

function numbered(description: string, number: string): string {
  if (description === "") return `Parcela ${number}`
  const suffix = ` (${number})`
  return `${[...description].slice(0, DESCRIPTION_MAX - suffix.length).join("")}${suffix}`
}

async function createAll(deps: CodeDeps, call: CreateCall, drafts: readonly InvoiceDraft[]): Promise<Invoice[]> {
  const times = timesOf(deps.clock)
  for (const draft of drafts) requireOffered(deps, draft)
  await requireAllowed(deps, call.seller, drafts)
  return deps.db.transaction().execute((tx) => storeAll(tx, call, drafts, times))
}

async function storeAll(
  tx: Tx,
  { seller, idempotencyKey }: CreateCall,
  drafts: readonly InvoiceDraft[],
  times: Times,
): Promise<Invoice[]> {
  const claim = { ownerId: seller.id, key: idempotencyKey, request: { invoices: drafts }, resourceId: newId() }
  const seriesId = await claimIdempotencyKey(tx, claim)
  if (seriesId === claim.resourceId) {
    const { fee } = await readTermsOf(tx, seller.id)
    // A new customer is entered once, however little is known of them.
    const entered = new Map<InvoiceDraft["customer"], string>()
    for (const { customer, ...draft } of drafts) {
      const customerId = entered.get(customer) ?? (await enter(tx, seller, { customer }, times.now))
      entered.set(customer, customerId)
      await insertNew(tx, { ...draft, id: newId(), seller, customerId, fee, seriesId, subscriptionId: null }, times)
    }
  }
  return listSeries(tx, seller.id, seriesId)
}
