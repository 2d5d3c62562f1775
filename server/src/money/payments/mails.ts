import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import type { PayerTokens } from "#kit/secrets"
import { holdsAddress } from "#people/users/misleading-names"
import type { NewMail } from "#platform/mails/mail-content"
import { enqueueMails, receiptMailKey } from "#platform/mails/notify-owner"
import { countDueMails } from "#platform/mails/reads"
import { readSetting } from "#platform/settings/reads"
import { type Charge, proofPath } from "#selling/charges/rules"
import { notifyOfSales } from "./notices.ts"
import type { Payment } from "./reads.ts"
import { lockNumbers, takeUnmailedSales, type UnmailedSale } from "./table.ts"

/** As many mails as are sent in a few seconds: the other sales stay where they are, in the events. */
const DUE_AT_ONCE = 100

interface Deps {
  db: Db
  clock: Clock
  payerTokens: PayerTokens
  payersUrl: string
}

/**
 * Writes the notices and the mails of the next sales when those written before have been sent. However many payments come, mails cost what
 * is sent. Each seller's mark moves in the transaction that writes the mails, so each sale is told once.
 */
export async function enqueuePaymentMails(deps: Deps): Promise<void> {
  for (;;) {
    const passed = await deps.db.transaction().execute((tx) => enqueueNext(tx, deps))
    if (passed === 0) return
  }
}

async function enqueueNext(tx: Tx, deps: Deps): Promise<number> {
  const now = deps.clock.now()
  const capacity = DUE_AT_ONCE - (await countDueMails(tx, { now, atMost: DUE_AT_ONCE }))
  if (capacity === 0) return 0
  await lockNumbers(tx)
  const notifiesSellers = await readSetting(tx, "NOTIFY_SELLER_ON_PAYMENT")
  const { passed, sales } = await takeUnmailedSales(tx, capacity)
  const toSellers = notifiesSellers ? sales.filter(({ wantsMail }) => wantsMail).map(sellersMail) : []
  await notifyOfSales(tx, sales, now)
  await enqueueMails(tx, [...toSellers, ...sales.flatMap((sale) => payersMail(sale, deps))], now)
  return passed
}

function sellersMail({ endToEndId, paidAt, payerName, ...charge }: UnmailedSale) {
  return creditedMail({ ...charge, payer: { name: payerName } }, { endToEndId, paidAt })
}

function payersMail(sale: UnmailedSale, { payerTokens, payersUrl }: Deps) {
  const { payerEmail } = sale
  return payerEmail === null
    ? []
    : [receiptMail({ ...sale, payerEmail }, { payersUrl, token: payerTokens.of(sale.chargeId) })]
}

/** Deduplicates mails by payment. */
export function paymentMailKey(endToEndId: string): string {
  return `payment:${endToEndId}`
}

/** Anybody may pay under any name, and mail programs make links of addresses: our mails advertise nobody's site. */
function mailedName(payerName: string | null): string | null {
  return payerName === null || holdsAddress(payerName) ? null : payerName
}

type CreditedCharge = Pick<Charge, "sellerId" | "pageTitle" | "amountCents" | "feeCents" | "netCents"> & {
  payer: Pick<Charge["payer"], "name">
}

function creditedMail(charge: CreditedCharge, payment: Pick<Payment, "endToEndId" | "paidAt">): NewMail {
  return {
    userId: charge.sellerId,
    dedupeKey: paymentMailKey(payment.endToEndId),
    content: {
      kind: "payment_received",
      pageTitle: charge.pageTitle,
      payerName: mailedName(charge.payer.name),
      amountCents: charge.amountCents,
      feeCents: charge.feeCents,
      netCents: charge.netCents,
      paidAt: payment.paidAt.toISOString(),
    },
  }
}

/** To an address that the payer typed: it says what was paid and to whom, and nothing of anybody else. */
function receiptMail(
  sale: UnmailedSale & { payerEmail: string },
  { payersUrl, token }: { payersUrl: string; token: string },
): NewMail {
  return {
    userId: sale.sellerId,
    to: sale.payerEmail,
    dedupeKey: receiptMailKey(sale.chargeId),
    content: {
      kind: "receipt",
      payerName: mailedName(sale.payerName) ?? "",
      receiver: sale.sellerName,
      ...(sale.shopEmail !== null && { shop: { name: sale.sellerName, email: sale.shopEmail } }),
      pageTitle: sale.pageTitle,
      amountCents: sale.amountCents,
      paidAt: sale.paidAt.toISOString(),
      endToEndId: sale.endToEndId,
      url: `${payersUrl}${proofPath(sale.chargeId, token)}`,
    },
  }
}
