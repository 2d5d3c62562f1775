import type { Tx } from "#db/transaction"
import { statusAt } from "#domain/charge-pages/charge-page"
import { holdChargePagesForCharges } from "#domain/charge-pages/hold-charge-page"
import { invariant } from "#kit/invariant"
import type { AskedCharge, OpenCharge } from "./charge.ts"
import { findChargeRow, markChargeFailed } from "./charges-repository.ts"
import { markChargesOpen } from "./new-charges-repository.ts"

export interface CodeOfCharge {
  charge: AskedCharge
  pixCode: string
  now: Date
}

/** Null where the page was closed while the provider worked: the code is never shown, and is removed. */
export async function openCharges(tx: Tx, codes: readonly CodeOfCharge[]): Promise<(OpenCharge | null)[]> {
  const pages = await holdChargePagesForCharges(
    tx,
    codes.map(({ charge }) => charge.pageId),
  )
  const wanted = new Map<string, CodeOfCharge>()
  for (const code of codes) {
    const { charge, now } = code
    const page = pages.get(charge.pageId)
    const isWanted = page !== undefined && statusAt(page, now) === "active"
    // The same key twice at once is one charge, for which the provider was asked twice.
    if (isWanted && !wanted.has(charge.id)) wanted.set(charge.id, code)
  }
  const openings = [...wanted.values()].map(({ charge, pixCode, now }) => ({ id: charge.id, pixCode, openedAt: now }))
  const opened = await markChargesOpen(tx, openings)
  const outcomes: (OpenCharge | null)[] = []
  for (const code of codes) {
    const { charge, pixCode, now } = code
    const isOpened = wanted.get(charge.id) === code && opened.has(charge.id)
    outcomes.push(isOpened ? { ...charge, status: "pending", pixCode, updatedAt: now } : await endUnopened(tx, code))
  }
  return outcomes
}

/** Opened by somebody else, or wanted by nobody any more. */
async function endUnopened(tx: Tx, { charge, now }: CodeOfCharge): Promise<OpenCharge | null> {
  const current = await findChargeRow(tx, charge.id)
  if (current !== null && current.pixCode !== null) {
    return asOpen({ ...current, pageId: charge.pageId, txid: charge.txid })
  }
  await markChargeFailed(tx, charge.id, "due", now)
  return null
}

export function asOpen(charge: AskedCharge): OpenCharge {
  invariant(charge.pixCode !== null, `charge ${charge.id} is ${charge.status} without a code`)
  return { ...charge, pixCode: charge.pixCode }
}
