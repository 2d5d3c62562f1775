import type { Db, Tx } from "#db/transaction"
import { countDueMails } from "#domain/platform/mails/count-due-mails"
import { enqueueMails } from "#domain/platform/mails/enqueue-mails"
import { readNotifiesSellerOnPayment } from "#domain/platform/settings/read-setting"
import type { Clock } from "#kit/clock"
import { creditedMail } from "./payment-mails.ts"
import { forgetUntoldSales, holdNumbers, passUntoldSales, type UntoldSale } from "./untold-sales-repository.ts"

/** As many mails as are sent in a few seconds: the other sales stay where they are, in the events. */
const DUE_AT_ONCE = 100

interface Deps {
  db: Db
  clock: Clock
}

/**
 * Writes the mails of the next sales when those written before have been sent. However many payments come, mails cost what
 * is sent. Each seller's mark moves in the transaction that writes the mails, so each sale is told once.
 */
export async function enqueuePaymentMails({ db, clock }: Deps): Promise<void> {
  for (;;) {
    const passed = await db.transaction().execute((tx) => enqueueNext(tx, clock.now()))
    if (passed === 0) return
  }
}

async function enqueueNext(tx: Tx, now: Date): Promise<number> {
  const room = DUE_AT_ONCE - (await countDueMails(tx, { now, atMost: DUE_AT_ONCE }))
  if (room === 0) return 0
  await holdNumbers(tx)
  if (!(await readNotifiesSellerOnPayment(tx))) {
    await forgetUntoldSales(tx)
    return 0
  }
  const { passed, untold } = await passUntoldSales(tx, room)
  await enqueueMails(tx, untold.map(mailOf), now)
  return passed
}

function mailOf({ endToEndId, paidAt, payerName, ...charge }: UntoldSale) {
  return creditedMail({ ...charge, payer: { name: payerName } }, { endToEndId, paidAt })
}
