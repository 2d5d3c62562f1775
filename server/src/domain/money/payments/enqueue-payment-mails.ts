import type { Db, Tx } from "#db/transaction"
import { countDueMails } from "#domain/platform/mails/count-due-mails"
import { enqueueMails } from "#domain/platform/mails/enqueue-mails"
import { readNotifiesSellerOnPayment } from "#domain/platform/settings/read-setting"
import type { Clock } from "#kit/clock"
import { creditedMail } from "./payment-mails.ts"
import { passUntoldPayments, type UntoldPayment } from "./untold-payments-repository.ts"

/** As many mails as are sent in a few seconds: the others stay where they are, in the payments. */
const DUE_AT_ONCE = 100
/** Payments that need no mail are passed in steps of this size. */
const STEP = 2_000

interface Deps {
  db: Db
  clock: Clock
}

/**
 * Writes the mails of the next payments when those written before have been sent. A booking writes none: however many
 * payments come, mails cost what is sent. The mark moves in the transaction that writes them, so each payment is told
 * once.
 */
export async function enqueuePaymentMails({ db, clock }: Deps): Promise<void> {
  for (;;) {
    const passed = await db.transaction().execute((tx) => enqueueNext(tx, clock.now()))
    if (passed < STEP) return
  }
}

async function enqueueNext(tx: Tx, now: Date): Promise<number> {
  const room = DUE_AT_ONCE - (await countDueMails(tx, { now, atMost: DUE_AT_ONCE }))
  if (room === 0) return 0
  const notifies = await readNotifiesSellerOnPayment(tx)
  const { passed, untold } = await passUntoldPayments(tx, { atMost: room, most: STEP, notifies })
  await enqueueMails(tx, untold.map(mailOf), now)
  return passed
}

function mailOf({ endToEndId, paidAt, payerName, ...charge }: UntoldPayment) {
  return creditedMail({ ...charge, payer: { name: payerName } }, { endToEndId, paidAt })
}
