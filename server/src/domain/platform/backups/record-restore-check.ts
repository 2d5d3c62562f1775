import type { Db, Tx } from "#db/transaction"
import { newId } from "#kit/ids"
import { insertRestoreCheck, type RestoreCheck } from "./restore-checks-repository.ts"

/** For Sistema and `npm run doctor`: a backup is worth what its last restore was. */
export async function recordRestoreCheck(db: Db, check: RestoreCheck): Promise<void> {
  await db.transaction().execute((tx) => record(tx, check))
}

async function record(tx: Tx, check: RestoreCheck): Promise<void> {
  await insertRestoreCheck(tx, { ...check, id: newId() })
}
