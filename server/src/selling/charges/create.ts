import { hash } from "node:crypto"
import type { CustomerInfoBody } from "@tilinta/contract/payments"
import { requiredFields } from "@tilinta/contract/vocabulary/payer-data"
import { type Times, timesOf } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { isId, newDueTxid } from "#kit/ids"
import { visibleAt } from "#selling/charge-pages/public-page"
import { amountOfPayer, type PageToCharge } from "#selling/charge-pages/rules"
import type { DueCode } from "#selling/invoices/change"
import { shownToday } from "#selling/invoices/rules"
import {
  asOpen,
  type ChargeSteps,
  openAtProvider,
  type ProviderDeps,
  payerOf,
  type StoredOrRefused,
  sameRequest,
} from "./open.ts"
import {
  checkedPayerData,
  draftCharge,
  noPayerData,
  type OpenCharge,
  type PageCharge,
  type PayerData,
  payerDataOf,
} from "./rules.ts"

export interface CreateChargeInput {
  pageId: string
  customerInfo: CustomerInfoBody | null
  /** In reais, as the payer chose it; null on a page of a fixed amount. */
  amount?: number | null
  /** The same key on the same page returns the same Pix. */
  idempotencyKey: string | null
  /** The payer's network, from which an unpaid code is shown again instead of a new one. */
  network?: string
  /** Asked before the bank is asked for a new code; what is shown again costs nothing. */
  refuseNew?: () => DomainError | null
}

/** A payer never hears of a page that its seller saves meanwhile, and gets the Pix of the new one. */
const mostTries = 3

export async function createCharge(deps: ProviderDeps, input: CreateChargeInput): Promise<OpenCharge> {
  if (!isId(input.pageId)) throw new DomainError("public_charge_page_not_found")
  return deps.chargeSteps.admit(() => createAdmitted(deps, input))
}

async function createAdmitted(deps: ProviderDeps, input: CreateChargeInput): Promise<OpenCharge> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const opened = await createOnce(deps, input)
    if (opened !== null) return opened
  }
  throw new DomainError("charge_page_changed")
}

/** Null when the page changed meanwhile, or no longer takes payments, which the next reading decides. */
async function createOnce(deps: ProviderDeps, input: CreateChargeInput): Promise<OpenCharge | null> {
  const { chargeSteps: steps } = deps
  const shown = await steps.findPage(input.pageId)
  const now = deps.clock.now()
  const page = shown === null ? null : visibleAt(shown, now)
  if (page === null) throw new DomainError("public_charge_page_not_found")
  if (page.isSuspended) throw new DomainError("charge_page_suspended")
  if (!page.isConfirmed) throw new DomainError("charge_page_not_open")
  const amountCents = amountOfPayer(page, input.amount ?? null)
  if (page.isInvoice) {
    const { draft, due } = await draftOfInvoice(deps, page)
    const opened = await createNew(deps, draft, { ...input, due })
    return opened === null ? null : asShownToday(opened, due, timesOf(deps.clock))
  }
  const payer = payerDataFor(page, input.customerInfo)
  const draft = draftCharge({
    page: { ...page, amountCents },
    now,
    payer,
    provider: deps.psp.name,
    idempotencyKey: input.idempotencyKey,
  })
  if (page.status === "completed") return finish(deps, await findMade(steps, draft))
  const person = payerOf(draft, input.network ?? null)
  if (person === null) return createNew(deps, draft, input)
  return steps.unpaidCodes.afterOthers(person, () => reuseOrCreate(deps, { draft, person }, input))
}

/** A payer who asks again, in another tab or after a reload, gets the code that they have not paid yet. */
async function reuseOrCreate(
  deps: ProviderDeps,
  { draft, person }: { draft: PageCharge; person: string },
  input: CreateChargeInput,
): Promise<OpenCharge | null> {
  const { unpaidCodes, reuse } = deps.chargeSteps
  const unpaid = unpaidCodes.find(person)
  if (unpaid !== undefined) {
    const made = await findByKey(deps.chargeSteps, draft)
    const known = made === null ? await reuse(unpaid, draft) : unlessRefused(made)
    if (known !== null && known.status !== "creating") return asOpen(known)
  }
  const created = await createNew(deps, draft, input)
  if (created !== null) unpaidCodes.remember(person, created.id)
  return created
}

async function createNew(
  deps: ProviderDeps,
  draft: PageCharge,
  { refuseNew, due = null }: CreateChargeInput & { due?: DueCode | null },
): Promise<OpenCharge | null> {
  const refusal = refuseNew?.() ?? null
  if (refusal === null) return finish(deps, await deps.chargeSteps.store(draft), due)
  const made = unlessRefused((await findByKey(deps.chargeSteps, draft)) ?? refusal)
  if (made === null || made.status === "creating") throw refusal
  return asOpen(made)
}

async function finish(
  deps: ProviderDeps,
  outcome: StoredOrRefused,
  due: DueCode | null = null,
): Promise<OpenCharge | null> {
  const charge = unlessRefused(outcome)
  if (charge === null) return null
  return openAtProvider(deps, charge, due)
}

/** A page that takes no more payments still returns what the key created before. */
async function findMade(steps: ChargeSteps, draft: PageCharge): Promise<StoredOrRefused> {
  return (await findByKey(steps, draft)) ?? new DomainError("charge_page_already_paid")
}

/** Null when the key is new. */
async function findByKey(steps: ChargeSteps, draft: PageCharge): Promise<StoredOrRefused | null> {
  const { pageId, idempotencyKey } = draft
  const known = idempotencyKey === null ? null : await steps.findByKey({ pageId, key: idempotencyKey })
  return known === null ? null : sameRequest(known, draft)
}

/** Keeps only the data that the page asks for. */
function payerDataFor(page: PageToCharge, info: CustomerInfoBody | null): PayerData {
  return page.allowAnonymous ? noPayerData : checkedPayerData(info ?? {}, requiredFields(page), "customerInfo")
}

function unlessRefused(outcome: StoredOrRefused): PageCharge | null {
  if (!(outcome instanceof DomainError)) return outcome
  if (outcome.code === "charge_page_changed") return null
  throw outcome
}

interface InvoiceDraft {
  draft: PageCharge
  /** Null of a code of one day. */
  due: DueCode | null
}

/**
 * The charge of today's amount, or of the invoice's whole life. Whoever asks first stores it, all others find it by its key.
 * @throws charge_page_already_paid, public_charge_page_not_found
 */
async function draftOfInvoice(deps: ProviderDeps, page: PageToCharge): Promise<InvoiceDraft> {
  const times = timesOf(deps.clock)
  const invoice = page.status === "completed" ? null : await deps.chargeSteps.askForCode({ pageId: page.id, times })
  if (invoice === null) {
    throw new DomainError(page.status === "completed" ? "charge_page_already_paid" : "public_charge_page_not_found")
  }
  const { amountCents, fee, payer, key, expiresAt, due } = invoice
  const draft = {
    ...draftCharge({
      page: { ...page, amountCents, terms: { ...page.terms, fee } },
      payer: payerDataOf(payer),
      provider: deps.psp.name,
      idempotencyKey: key,
      now: times.now,
    }),
    ...(due !== null && { txid: newDueTxid(times.now) }),
    expiresAt,
    // A customer whose data are corrected meanwhile gets the same code.
    requestHash: hash("sha256", page.id, "buffer"),
  }
  return { draft, due }
}

/** Its payer reads today's amount, until midnight, whatever the code's own life. */
function asShownToday(charge: OpenCharge, due: DueCode | null, times: Times): OpenCharge {
  return due === null ? charge : { ...charge, ...shownToday(due.terms, times) }
}
