import { hash } from "node:crypto"
import type { Tx } from "#db/transaction"
import { secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/errors"
import type { PageToCharge } from "#selling/charge-pages/rules"
import { type AskedInvoice, askInvoice } from "#selling/invoices/change"
import type { InvoiceCustomer } from "#selling/invoices/rules"
import { closeOpenCharges } from "./end.ts"
import type { ProviderDeps } from "./open.ts"
import { countEndedCodes, hasCodeEndingBy } from "./reads.ts"
import { draftCharge, type PageCharge, type PayerData } from "./rules.ts"

/** A code that is about to end is no use to whoever asks for one now. */
const LEAST_LEFT_SECONDS = 5 * 60

/** Of an invoice there is one code a day, whoever asks for it. Those of other days and terms end before it is made. */
export async function askForCode(tx: Tx, pageId: string, now: Date): Promise<AskedInvoice | null> {
  const invoice = await askInvoice(tx, pageId, now)
  if (invoice === null) return null
  const isOutdated = invoice.isFirstOfDay || (await hasCodeEndingBy(tx, pageId, secondsAfter(now, LEAST_LEFT_SECONDS)))
  if (isOutdated) await closeOpenCharges(tx, { pageId, now })
  // A code that ended, as by a suspension, is followed by another one.
  return { ...invoice, key: `${invoice.key} ${await countEndedCodes(tx, pageId)}` }
}

/**
 * The charge of today's amount. Whoever asks first stores it, all others find it by its key.
 * @throws charge_page_already_paid, public_charge_page_not_found
 */
export async function draftOfInvoice(deps: ProviderDeps, page: PageToCharge, now: Date): Promise<PageCharge> {
  const invoice = page.status === "completed" ? null : await deps.chargeSteps.askForCode({ pageId: page.id, now })
  if (invoice === null) {
    throw new DomainError(page.status === "completed" ? "charge_page_already_paid" : "public_charge_page_not_found")
  }
  const { asked, payer, key, expiresAt } = invoice
  return {
    ...draftCharge({
      page: { ...page, amountCents: asked.amount },
      payer: payerOfInvoice(payer),
      provider: deps.psp.name,
      idempotencyKey: key,
      now,
    }),
    expiresAt,
    // A customer whose data are corrected meanwhile gets the same code.
    requestHash: hash("sha256", page.id, "buffer"),
  }
}

function payerOfInvoice({ name, document, email, phone }: InvoiceCustomer): PayerData {
  const isCompany = document?.length === 14
  return { name: name || null, email, phone, cpf: isCompany ? null : document, cnpj: isCompany ? document : null }
}
