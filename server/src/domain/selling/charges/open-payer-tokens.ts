import type { Db } from "#db/transaction"
import { createPayerTokens, type PayerTokens } from "#kit/payer-tokens"
import type { Protection } from "#kit/protection"
import { readPayerTokenKey } from "./payer-token-key-repository.ts"

/** Read once in a process: nodes that share a database share its tokens. */
export async function openPayerTokens({ db, protection }: { db: Db; protection: Protection }): Promise<PayerTokens> {
  return createPayerTokens(await readPayerTokenKey(db), protection)
}
