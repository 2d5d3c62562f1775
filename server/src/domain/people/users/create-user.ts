import type { Role } from "@tilinta/contract/vocabulary/roles"
import type { Db, Tx } from "#db/transaction"
import { askSecondPerson, type SecondWord } from "#domain/people/second-approvals/ask-second-person"
import { newAdminRightsFrom } from "#domain/people/second-approvals/new-admin-rights"
import { changesBetween, type SecondApproval } from "#domain/people/second-approvals/second-approval"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { claimIdempotencyKey } from "#domain/platform/idempotency/claim-idempotency-key"
import type { Clock } from "#kit/clock"
import { newId } from "#kit/ids"
import type { Protection } from "#kit/protection"
import { emailTaken } from "./email-taken.ts"
import { getUser } from "./get-user.ts"
import { inviteUser } from "./invite-user.ts"
import { lockAdminAnd } from "./lock-admin.ts"
import { emailKeyOf, type User } from "./user.ts"
import { auditOfUser } from "./user-audit.ts"
import { findUserByEmail, insertUserOnce } from "./users-repository.ts"

interface NewUser {
  name: string
  email: string
  role: Role
  active: boolean
  anyName: boolean
}

interface Creation {
  admin: Actor
  wishes: NewUser
  /** The same key with the same input returns the user created first. */
  idempotencyKey: string | null
}

interface CreatedUser {
  /** Not stored yet while it waits. */
  user: User
  /** The first approval, when nobody has been created yet; null otherwise. */
  waits: SecondApproval | null
}

interface Deps {
  db: Db
  clock: Clock
  protection: Protection
}

/** Only the new user ever knows the password: a link to set it is mailed. */
export async function createUser({ db, clock, protection }: Deps, creation: Creation): Promise<CreatedUser> {
  const profile = { cpf: "", phone: "", address: {}, bankAccount: {}, paymentMails: "each" } as const
  const state = { emailState: "unasked", adminRightsFrom: null } as const
  const user: User = { id: newId(), ...creation.wishes, ...profile, ...state, createdAt: clock.now() }
  return db.transaction().execute((tx) => storeUser(tx, user, { ...creation, protection }))
}

type Order = Creation & Pick<Deps, "protection">

async function storeUser(tx: Tx, asked: User, order: Order): Promise<CreatedUser> {
  const { admin, wishes, idempotencyKey, protection } = order
  const now = asked.createdAt
  await lockAdminAnd(tx, admin.id, null)
  const { waits, agreed } = await askAbout(tx, order, now)
  if (waits !== null) return { user: { ...asked, id: waits.id }, waits }
  const adminRightsFrom = asked.role === "admin" ? await newAdminRightsFrom(tx, protection, now) : null
  const user = { ...asked, id: agreed?.id ?? asked.id, adminRightsFrom }
  const firstId = await claimIdempotencyKey(tx, {
    ownerId: admin.id,
    key: idempotencyKey,
    request: { user: wishes },
    resourceId: user.id,
  })
  if (firstId !== user.id) {
    const first = await getUser(tx, firstId)
    return { user: { ...user, id: first.id, createdAt: first.createdAt }, waits: null }
  }
  if (!(await insertUserOnce(tx, { ...user, passwordHash: null }))) throw emailTaken()
  const entry = auditOfUser("user.created", { before: null, after: user }, admin, now)
  if (entry !== null) await recordAudit(tx, entry)
  if (user.active) await inviteUser(tx, user.id, now)
  return { user, waits: null }
}

const shownFields = ["name", "email", "role", "active", "anyName"] as const

/** A repeated request for somebody who was created meanwhile asks nobody. */
async function askAbout(tx: Tx, { admin, wishes, protection }: Order, now: Date): Promise<SecondWord> {
  const isGrave = protection === "strict" && wishes.role === "admin"
  if (!isGrave || (await findUserByEmail(tx, wishes.email)) !== undefined) return { waits: null, agreed: null }
  const about = { act: "user.create", subjectId: emailKeyOf(wishes.email), subjectName: wishes.name } as const
  const changes = changesBetween(null, wishes, shownFields)
  return askSecondPerson(tx, { ...about, changes, by: admin, protection }, now)
}
