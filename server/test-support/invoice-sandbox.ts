import { dueTermsOf, type SentTerms } from "@tilinta/contract/vocabulary/invoices"
import { bookPayments } from "#money/payments/book"
import { noOrder } from "#selling/charge-pages/rules"
import { createCharge } from "#selling/charges/create"
import { customerFieldsFrom } from "#selling/customers/rules"
import { createInvoice, type InvoiceInput } from "#selling/invoices/create"
import { createSeller, openSandbox, receiptOf } from "./sandbox.ts"
import { withSharedClock } from "./shared-clock.ts"

/** Terms of most tests. */
export const usualTerms: SentTerms = {
  amount: 100,
  dueDate: "2026-12-10",
  daysAfterDue: 30,
  fine: { type: "percent", value: 2 },
  interest: { type: "percentMonth", value: 1 },
}

type Changed = Partial<Omit<InvoiceInput, "terms">> & { terms?: Partial<SentTerms> }

/** A seller who charges customers by a due day, at any moment. */
export async function openInvoiceSandbox() {
  let now = new Date("2026-12-10T12:00:00-03:00")
  const sandbox = withSharedClock(await openSandbox(), { now: () => now })
  let sellerId = await createSeller(sandbox)
  const seller = () => ({ id: sellerId, address: "127.0.0.1" })
  return {
    sandbox,
    now: () => now,
    /** Moves the clock to this moment of São Paulo. */
    at(moment: string) {
      now = new Date(`${moment}-03:00`)
    },
    sellerId: () => sellerId,
    seller,
    own: ({ id }: { id: string }) => ({ id, seller: seller() }),
    /** Another seller, for whom the calls after it act. */
    async changeSeller() {
      sellerId = await createSeller(sandbox)
    },
    create: ({ terms = {}, ...input }: Changed = {}, deps: Parameters<typeof createInvoice>[0] = sandbox) =>
      createInvoice(deps, {
        seller: seller(),
        customer: customerFieldsFrom({ name: "Bruno Lima", document: "52998224725", email: "bruno@exemplo.com.br" }),
        terms: dueTermsOf({ ...usualTerms, ...terms }),
        description: "Mensalidade",
        order: noOrder,
        mode: "daily",
        idempotencyKey: null,
        ...input,
      }),
    ask: ({ pageId }: { pageId: string }) =>
      createCharge(sandbox, { pageId, customerInfo: null, idempotencyKey: null }),
    pay: (charge: { txid: string; amountCents: number }, paidAt = now) =>
      bookPayments(sandbox, [{ ...receiptOf(charge.txid, charge.amountCents), paidAt }]),
  }
}
