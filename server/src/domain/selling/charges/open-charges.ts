import { executeOne } from "#db/one-statement"
import type { Db } from "#db/transaction"
import { invariant } from "#kit/invariant"
import type { AskedCharge, OpenCharge } from "./charge.ts"
import { findChargeRow } from "./charges-repository.ts"
import { failUnopenedCharge } from "./fail-charges.ts"
import { markChargesOpen } from "./new-charges-repository.ts"

export interface CodeOfCharge {
  charge: AskedCharge
  pixCode: string
  now: Date
}

/** Null when the page was closed while the provider worked: the code is never shown, and is removed. */
export async function openCharges(db: Db, codes: readonly CodeOfCharge[]): Promise<(OpenCharge | null)[]> {
  const wanted = new Map<string, CodeOfCharge>()
  for (const code of codes) {
    // Two concurrent requests with one key are one charge, requested twice from the provider.
    if (!wanted.has(code.charge.id)) wanted.set(code.charge.id, code)
  }
  const openings = [...wanted.values()].map(({ charge, pixCode, now }) => {
    return { id: charge.id, pageId: charge.pageId, pixCode, openedAt: now }
  })
  const opened = await executeOne(db, markChargesOpen(openings))
  const outcomes: (OpenCharge | null)[] = []
  for (const code of codes) {
    const { charge, pixCode, now } = code
    const isOpened = wanted.get(charge.id) === code && opened.has(charge.id)
    outcomes.push(isOpened ? { ...charge, status: "pending", pixCode, updatedAt: now } : await endUnopened(db, code))
  }
  return outcomes
}

/** Another request opened the charge, or it was ended meanwhile. */
async function endUnopened(db: Db, { charge, now }: CodeOfCharge): Promise<OpenCharge | null> {
  const current = await findChargeRow(db, charge.id)
  if (current !== null && current.pixCode !== null) {
    return asOpen({ ...current, pageId: charge.pageId, txid: charge.txid })
  }
  await db.transaction().execute((tx) => failUnopenedCharge(tx, { id: charge.id, pageId: charge.pageId, now }))
  return null
}

export function asOpen(charge: AskedCharge): OpenCharge {
  invariant(charge.pixCode !== null, `charge ${charge.id} is ${charge.status} without a code`)
  return { ...charge, pixCode: charge.pixCode }
}
