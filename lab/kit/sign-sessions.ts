import { createLog } from "../../server/src/kit/log.ts"
import type { SecretKeys } from "../../server/src/kit/secrets.ts"
import { holdOrderKeys } from "../../server/src/platform/order-macs/macs.ts"
import { type SessionRow, signedSession } from "../../server/test-support/rewrite-sessions.ts"
import { secretKeys } from "../../server/test-support/secret-keys.ts"

/** Gives all sessions the MACs of a server with these keys; those that share a workshop's database have the default. */
export async function signSessions(
  query: (text: string) => Promise<unknown[]>,
  keys: SecretKeys = secretKeys,
): Promise<void> {
  holdOrderKeys({ secretKeys: keys, log: createLog("silent") })
  const rows = (await query("select * from sessions")) as SessionRow[]
  const signed = rows.map((row) => `('${row.id}'::uuid, '${signedSession(row).mac}')`)
  if (signed.length === 0) return
  await query(
    `update sessions set mac = given.mac from (values ${signed.join(", ")}) given (id, mac) where sessions.id = given.id`,
  )
}
