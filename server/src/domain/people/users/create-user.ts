import type { Role } from "@tilinta/contract/vocabulary/roles"
import type { Db, Tx } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { claimIdempotencyKey } from "#domain/platform/idempotency/claim-idempotency-key"
import type { Clock } from "#kit/clock"
import { newId } from "#kit/ids"
import { emailTaken } from "./email-taken.ts"
import { getUser } from "./get-user.ts"
import { inviteUser } from "./invite-user.ts"
import { lockAdminAnd } from "./lock-admin.ts"
import type { User } from "./user.ts"
import { auditOfUser } from "./user-audit.ts"
import { insertUserOnce } from "./users-repository.ts"

interface NewUser {
  name: string
  email: string
  role: Role
  active: boolean
}

interface Creation {
  admin: Actor
  wishes: NewUser
  /** The same key with the same input returns the user created first. */
  idempotencyKey: string | null
}

/** Only the new user ever knows the password: a link to set it is mailed. */
export async function createUser({ db, clock }: { db: Db; clock: Clock }, creation: Creation): Promise<User> {
  const { name, email, role, active } = creation.wishes
  const noProfile = { cpf: "", phone: "", address: {}, bankAccount: {}, paymentMails: "each" } as const
  const user: User = { id: newId(), name, email, role, active, ...noProfile, createdAt: clock.now() }
  return db.transaction().execute((tx) => storeUser(tx, user, creation))
}

async function storeUser(tx: Tx, user: User, { admin, wishes, idempotencyKey }: Creation): Promise<User> {
  const now = user.createdAt
  await lockAdminAnd(tx, admin.id, null)
  const firstId = await claimIdempotencyKey(tx, {
    ownerId: admin.id,
    key: idempotencyKey,
    request: { user: wishes },
    resourceId: user.id,
  })
  if (firstId !== user.id) {
    const first = await getUser(tx, firstId)
    return { ...user, id: first.id, createdAt: first.createdAt }
  }
  if (!(await insertUserOnce(tx, { ...user, passwordHash: null }))) throw emailTaken()
  const entry = auditOfUser("user.created", { before: null, after: user }, admin, now)
  if (entry !== null) await recordAudit(tx, entry)
  if (user.active) await inviteUser(tx, user.id, now)
  return user
}
