import type { Db } from "#db/transaction"
import { findPasskeysOf, type Passkey } from "./passkeys-repository.ts"

export type KnownPasskey = Omit<Passkey, "credentialId" | "transports">

/** The oldest first. */
export async function listPasskeys(db: Db, userId: string): Promise<KnownPasskey[]> {
  return findPasskeysOf(db, userId)
}
