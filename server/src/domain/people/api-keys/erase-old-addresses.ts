import type { Db } from "#db/transaction"
import { workThrough } from "#domain/platform/retention/work-through"
import { readAddressDays } from "#domain/platform/settings/read-setting"
import { type Clock, secondsAfter } from "#kit/clock"
import { eraseAddressesUsedBefore } from "./api-keys-repository.ts"

const BATCH = 1_000

/** The address from which a key was last used is forgotten once that is long ago. */
export async function eraseOldKeyAddresses({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const days = await readAddressDays(db)
  if (days === null) return
  const before = secondsAfter(clock.now(), -days * 86_400)
  await workThrough(BATCH, () => db.transaction().execute((tx) => eraseAddressesUsedBefore(tx, before, BATCH)))
}
