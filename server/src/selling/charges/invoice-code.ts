import type { Tx } from "#db/transaction"
import { secondsAfter, type Times } from "#kit/clock"
import { type PricedInvoice, priceInvoice } from "#selling/invoices/change"
import { closeOpenCharges } from "./end.ts"
import { countEndedCodes, hasCodeEndingBy } from "./reads.ts"

/** A code that is about to end is no use to whoever asks for one now. */
const LEAST_LEFT_SECONDS = 5 * 60

/** The day's only code of an invoice, whoever asks for it. Those of other days and terms end before it is made. */
export async function askForCode(tx: Tx, pageId: string, times: Times): Promise<PricedInvoice | null> {
  const { now } = times
  const invoice = await priceInvoice(tx, pageId, times)
  if (invoice === null) return null
  const isOutdated = invoice.isFirstOfDay || (await hasCodeEndingBy(tx, pageId, secondsAfter(now, LEAST_LEFT_SECONDS)))
  if (isOutdated) await closeOpenCharges(tx, { pageId, now })
  // A code that ended, as by a suspension, is followed by another one.
  return { ...invoice, key: `${invoice.key} ${await countEndedCodes(tx, pageId)}` }
}
