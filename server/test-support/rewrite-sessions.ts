import type { Selectable } from "kysely"
import type { Schema } from "#db/schema"
import type { Db } from "#db/transaction"
import { hashOfToken } from "#kit/secrets"
import { sessionOrder } from "#people/sessions/rules"
import { macOf } from "#platform/order-macs/macs"

/** The row of a session as this platform writes it. */
export function signedSession<Given extends SessionRow>(row: Given): Given & { mac: string } {
  const { token_hash: tokenHash, user_id: userId, created_at: createdAt, expires_at: expiresAt } = row
  const { id, viewer_id: viewerId = null, stepped_up_at: steppedUpAt = null } = row
  return { ...row, mac: macOf(sessionOrder({ id, tokenHash, userId, viewerId, createdAt, expiresAt, steppedUpAt })) }
}

export interface SessionRow {
  id: string
  token_hash: Buffer
  user_id: string
  created_at: Date
  expires_at: Date
  viewer_id?: string | null
  stepped_up_at?: Date | null
}

/** Changes sessions, those of a token or person where one is given, as if the platform had written them so. */
export async function rewriteSessions(
  db: Db,
  { token, userId }: { token?: string; userId?: string },
  change: Partial<Selectable<Schema["sessions"]>>,
): Promise<void> {
  let query = db.selectFrom("sessions").selectAll()
  if (token !== undefined) query = query.where("token_hash", "=", hashOfToken(token))
  if (userId !== undefined) query = query.where("user_id", "=", userId)
  for (const row of await query.execute()) {
    const { mac } = signedSession({ ...row, ...change })
    await db
      .updateTable("sessions")
      .set({ ...change, mac })
      .where("id", "=", row.id)
      .execute()
  }
}
