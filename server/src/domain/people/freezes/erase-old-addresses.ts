import type { Db } from "#db/transaction"
import { workThrough } from "#domain/platform/retention/work-through"
import { readAddressDays } from "#domain/platform/settings/read-setting"
import { type Clock, secondsAfter } from "#kit/clock"
import { eraseAddressesOfFreezesBefore } from "./freezes-repository.ts"

const BATCH = 1_000

/** The address that froze an account is forgotten once that is long ago. */
export async function eraseOldFreezeAddresses({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const days = await readAddressDays(db)
  if (days === null) return
  const before = secondsAfter(clock.now(), -days * 86_400)
  await workThrough(BATCH, () => db.transaction().execute((tx) => eraseAddressesOfFreezesBefore(tx, before, BATCH)))
}
