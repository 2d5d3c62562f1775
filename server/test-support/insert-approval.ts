import { randomBytes } from "node:crypto"
import { secondsAfter } from "#kit/clock"
import { newId } from "#kit/ids"
import { hashOfToken, newToken } from "#kit/secrets"
import type { EdgeWorld, WorldUser } from "./edge-world.ts"

/** A setting that another administrator wants to change. */
export async function insertApproval(world: EdgeWorld): Promise<string> {
  const now = world.clock.now()
  const id = newId()
  const { id: askedBy } = await world.user("admin")
  const about = { id, act: "setting.change", subject_id: `KEY-${id}`, subject_name: "KEY" } as const
  const changes = JSON.stringify([{ field: "value", before: 1, after: 2 }])
  const times = { asked_at: now, expires_at: secondsAfter(now, 3600) }
  await world.db
    .insertInto("second_approvals")
    .values({ ...about, changes, digest: randomBytes(32), asked_by: askedBy, ...times })
    .execute()
  return id
}

/** Returns the token of the link to the new address. */
export async function insertEmailChange(world: EdgeWorld, owner: WorldUser): Promise<string> {
  const token = newToken()
  const now = world.clock.now()
  const change = { user_id: owner.id, token_hash: hashOfToken(token), email: `${newId()}@loja.example` }
  await world.db
    .insertInto("email_changes")
    .values({ ...change, asked_by: owner.id, created_at: now, expires_at: secondsAfter(now, 3600) })
    .execute()
  return token
}
