import type { Db, Tx } from "#db/transaction"
import { countDueMails, enqueueMails } from "#domain/platform/mails/enqueue-mails"
import { readNotifiesSellerOnPayment } from "#domain/platform/settings/read-setting"
import type { Clock } from "#kit/clock"
import type { PayerTokens } from "#kit/payer-tokens"
import { creditedMail, receiptMail } from "./payment-mails.ts"
import { holdNumbers, passUntoldSales, type UntoldSale } from "./untold-sales-repository.ts"

/** As many mails as are sent in a few seconds: the other sales stay where they are, in the events. */
const DUE_AT_ONCE = 100

interface Deps {
  db: Db
  clock: Clock
  payerTokens: PayerTokens
  payersUrl: string
}

/**
 * Writes the mails of the next sales when those written before have been sent. However many payments come, mails cost what
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
  const room = DUE_AT_ONCE - (await countDueMails(tx, { now, atMost: DUE_AT_ONCE }))
  if (room === 0) return 0
  await holdNumbers(tx)
  const tellsSellers = await readNotifiesSellerOnPayment(tx)
  const { passed, untold } = await passUntoldSales(tx, room)
  const toSellers = tellsSellers ? untold.filter(({ wantsMail }) => wantsMail).map(sellersMail) : []
  await enqueueMails(tx, [...toSellers, ...untold.flatMap((sale) => payersMail(sale, deps))], now)
  return passed
}

function sellersMail({ endToEndId, paidAt, payerName, ...charge }: UntoldSale) {
  return creditedMail({ ...charge, payer: { name: payerName } }, { endToEndId, paidAt })
}

function payersMail(sale: UntoldSale, { payerTokens, payersUrl }: Deps) {
  const { payerEmail } = sale
  return payerEmail === null
    ? []
    : [receiptMail({ ...sale, payerEmail }, { payersUrl, token: payerTokens.of(sale.chargeId) })]
}
