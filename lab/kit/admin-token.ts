import { newId } from "../../server/src/kit/ids.ts"
import { hashOfToken, newToken } from "../../server/src/kit/secrets.ts"
import type { Query } from "./market.ts"
import { signSessions } from "./sign-sessions.ts"

/** Creates an administrator with a session. */
export async function adminToken(query: Query): Promise<string> {
  const [id, token] = [newId(), newToken()]
  const email = `${id}@bench.example`
  await query(`
    insert into users (id, name, email, email_key, password_hash, cpf, phone, role, active)
    values ('${id}', 'Chefe', '${email}', '${email}', 'none', '52998224725', '11987654321', 'admin', true)`)
  await query(`
    insert into sessions (id, token_hash, user_id, expires_at, mac)
    values ('${newId()}', '\\x${hashOfToken(token).toString("hex")}', '${id}', now() + interval '20 hours', '')`)
  await signSessions(query)
  return token
}
