import type { Db } from "#db/transaction"
import { deleteSession } from "./session-repository.ts"
import { hashOfToken } from "./session-token.ts"

export async function closeSession(db: Db, token: string): Promise<void> {
  await db.transaction().execute((tx) => deleteSession(tx, hashOfToken(token)))
}
