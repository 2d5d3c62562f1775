import { newId } from "../../server/src/kit/ids.ts"
import { hashOfToken, newToken } from "../../server/src/kit/secret-token.ts"
import type { Session } from "./market.ts"

/** A new administrator, logged in. */
export async function adminToken(session: Session): Promise<string> {
  const [id, token] = [newId(), newToken()]
  await session.query(
    `insert into users (id, name, email, email_key, password_hash, cpf, phone, role, active)
     values ($1, 'Chefe', $2, $2, 'none', '52998224725', '11987654321', 'admin', true)`,
    [id, `${id}@bench.example`],
  )
  await session.query(
    "insert into sessions (id, token_hash, user_id, expires_at) values ($1, $2, $3, now() + interval '20 hours')",
    [newId(), hashOfToken(token), id],
  )
  return token
}
