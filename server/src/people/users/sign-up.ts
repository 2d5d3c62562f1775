import type { SignupBody } from "@tilinta/contract/auth"
import { isCpf } from "@tilinta/contract/vocabulary/payer-data"
import type { Role } from "@tilinta/contract/vocabulary/people"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { brokenRule, DomainError } from "#kit/errors"
import { idOfText, isId, newId } from "#kit/ids"
import type { Protection } from "#kit/request-scope"
import type { SecretKeys } from "#kit/secrets"
import { askSecondPerson, newAdminRightsFrom, type SecondWord } from "#people/second-approvals/approve"
import { changesBetween, type SecondApproval } from "#people/second-approvals/rules"
import { openSession, type SessionOrigin } from "#people/sessions/sessions"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { claimIdempotencyKey } from "#platform/idempotency/claim"
import { acceptTextsInForce } from "#platform/legal-texts/texts"
import { askConfirmation } from "./change-email.ts"
import { lockAdminAnd } from "./change-user.ts"
import { rememberDevice } from "./known-devices.ts"
import { countSignup } from "./limits.ts"
import { logIn } from "./log-in.ts"
import { refuseMisleading } from "./misleading-names.ts"
import { hashPassword, refuseGuessable } from "./passwords.ts"
import { findUserByEmail, getUser, type UserWithPassword } from "./reads.ts"
import { type Invitation, inviteByHand, inviteUser } from "./reset-password.ts"
import { auditOfUser, emailKeyOf, emailTaken, type User } from "./rules.ts"
import { insertUserOnce } from "./table.ts"

interface Deps {
  db: Db
  clock: Clock
  secretKeys: SecretKeys
  /** With real money a CPF needs valid check digits; the sandbox accepts any eleven digits. */
  isSandbox: boolean
  protection: Protection
}

interface Signup {
  form: SignupBody
  origin: SessionOrigin
  /** Scoped to the e-mail, since there is no user yet. */
  idempotencyKey: string | null
  /** By an invitation to a shop's team, which they accept afterwards. */
  isInvited?: boolean
}

interface SignedUp {
  user: User
  token: string
  /** For the browser's cookie, as after a login. */
  device: string | null
}

/** A new user is an active seller: role, balance and state are never theirs to choose. */
export async function signUp(deps: Deps, signup: Signup): Promise<SignedUp> {
  const { db, clock, isSandbox, protection } = deps
  const { form, origin, idempotencyKey, isInvited = false } = signup
  if (!isSandbox && !isCpf(form.cpf)) throw brokenRule("cpf", "CPF inválido")
  await refuseGuessable(db, form.password, form)
  await refuseMisleading(deps, { userId: null, texts: { name: form.name } })
  const attempt = { email: form.email, address: origin.address, protection }
  const meetsAccount = await db.transaction().execute((tx) => countSignup(tx, attempt, clock.now()))
  if (idempotencyKey === null && meetsAccount) throw emailTaken()

  const user: UserWithPassword = {
    id: newId(),
    name: form.name,
    email: form.email,
    passwordHash: await hashPassword(form.password),
    isPasswordVoid: false,
    cpf: form.cpf,
    phone: form.phone,
    address: form.address,
    bankAccount: {},
    paymentMails: "each",
    emailState: protection === "strict" ? "unconfirmed" : "unasked",
    anyName: false,
    feePercentage: null,
    role: "user",
    active: true,
    adminRightsFrom: null,
    note: "",
    hasInitialPassword: false,
    hasShop: !isInvited,
    createdAt: clock.now(),
  }
  const opened = await db.transaction().execute((tx) => register(tx, user, signup))
  return opened === null ? answerAgain(deps, signup) : { user, ...opened }
}

/** Null when the key has already created the account. */
async function register(
  tx: Tx,
  user: UserWithPassword,
  { form, origin, idempotencyKey }: Signup,
): Promise<Omit<SignedUp, "user"> | null> {
  const { password: _, passwordConfirm: __, ...request } = form
  const ownerId = idOfText(emailKeyOf(form.email))
  const firstId = await claimIdempotencyKey(tx, { ownerId, key: idempotencyKey, request, resourceId: user.id })
  if (firstId !== user.id) return null
  const isNew = await insertUserOnce(tx, user)
  if (!isNew) throw emailTaken()
  await acceptTextsInForce(tx, { id: user.id, address: origin.address }, user.createdAt)
  if (user.emailState === "unconfirmed") await askConfirmation(tx, user, user.createdAt)
  const token = await openSession(tx, user, origin, user.createdAt)
  const attempt = { accountKey: emailKeyOf(user.email), address: origin.address, from: origin.address }
  return { token, device: await rememberDevice(tx, user.id, attempt, user.createdAt) }
}

/**
 * The first token is stored nowhere, so a retry gets a new one: after checking the password, and counted like a login.
 */
async function answerAgain(deps: Deps, { form, origin }: Signup): Promise<SignedUp> {
  try {
    return await logIn(deps, { email: form.email, password: form.password, origin })
  } catch (error) {
    const isOtherPassword = error instanceof DomainError && error.code === "wrong_credentials"
    throw isOtherPassword ? new DomainError("idempotency_key_reused") : error
  }
}

interface NewUser {
  name: string
  email: string
  role: Role
  active: boolean
  anyName: boolean
}

interface Creation {
  admin: Actor
  newUser: NewUser
  /** The same key with the same input returns the user created first. */
  idempotencyKey: string | null
}

interface CreatedUser {
  /** Not stored yet while it waits. */
  user: User
  /** The first approval, when nobody has been created yet; null otherwise. */
  waits: SecondApproval | null
  /** For the administrator to pass on; null for another administrator, who proves the mailbox by the mail's link. */
  invitation: Invitation | null
}

interface CreateUserDeps {
  db: Db
  clock: Clock
  protection: Protection
}

/** Only the new user ever knows the password: a link to set it is mailed. */
export async function createUser({ db, clock, protection }: CreateUserDeps, creation: Creation): Promise<CreatedUser> {
  const profile = { cpf: "", phone: "", address: {}, bankAccount: {}, paymentMails: "each" } as const
  const state = {
    emailState: "unasked",
    adminRightsFrom: null,
    feePercentage: null,
    note: "",
    hasInitialPassword: false,
    hasShop: true,
  } as const
  const user: User = { id: newId(), ...creation.newUser, ...profile, ...state, createdAt: clock.now() }
  return db.transaction().execute((tx) => storeUser(tx, user, { ...creation, protection }))
}

type Order = Creation & Pick<CreateUserDeps, "protection">

async function storeUser(tx: Tx, requested: User, order: Order): Promise<CreatedUser> {
  const { admin, newUser, idempotencyKey, protection } = order
  const now = requested.createdAt
  await lockAdminAnd(tx, admin.id, null)
  const { waits, agreed } = await askAbout(tx, order, now)
  if (waits !== null) return { user: { ...requested, id: waits.id }, waits, invitation: null }
  const adminRightsFrom = requested.role === "admin" ? await newAdminRightsFrom(tx, protection, now) : null
  const user = { ...requested, id: agreed?.id ?? requested.id, adminRightsFrom }
  const firstId = await claimIdempotencyKey(tx, {
    ownerId: admin.id,
    key: idempotencyKey,
    request: { user: newUser },
    resourceId: user.id,
  })
  if (firstId !== user.id) {
    const first = await getUser(tx, firstId)
    return { user: { ...user, id: first.id, createdAt: first.createdAt }, waits: null, invitation: null }
  }
  if (!(await insertUserOnce(tx, { ...user, passwordHash: null, isPasswordVoid: false }))) throw emailTaken()
  const entry = auditOfUser("user.created", { before: null, after: user }, admin, now)
  if (entry !== null) await recordAudit(tx, entry)
  return { user, waits: null, invitation: await invite(tx, user, admin, now) }
}

/** A link in an administrator's hands would let them act as the second of two. */
async function invite(tx: Tx, { id, role, active }: User, admin: Actor, now: Date): Promise<Invitation | null> {
  if (!active) return null
  if (role === "user") return inviteByHand(tx, id, admin, now)
  await inviteUser(tx, id, now)
  return null
}

/** Earlier links stop working. @throws user_not_found, user_not_invitable */
export async function inviteAgain(
  { db, clock }: Pick<CreateUserDeps, "db" | "clock">,
  invited: { id: string; admin: Actor },
): Promise<Invitation> {
  return db.transaction().execute((tx) => makeAnother(tx, invited, clock.now()))
}

async function makeAnother(tx: Tx, { id, admin }: { id: string; admin: Actor }, now: Date): Promise<Invitation> {
  const user = isId(id) ? await lockAdminAnd(tx, admin.id, id) : null
  if (user === null) throw new DomainError("user_not_found")
  const invitation = user.passwordHash === null ? await invite(tx, user, admin, now) : null
  if (invitation === null) throw new DomainError("user_not_invitable")
  return invitation
}

const shownFields = ["name", "email", "role", "active", "anyName"] as const

/** A repeated request for somebody who was created meanwhile asks nobody. */
async function askAbout(tx: Tx, { admin, newUser, protection }: Order, now: Date): Promise<SecondWord> {
  const isGrave = protection === "strict" && newUser.role === "admin"
  if (!isGrave || (await findUserByEmail(tx, newUser.email)) !== undefined) return { waits: null, agreed: null }
  const about = { act: "user.create", subjectId: emailKeyOf(newUser.email), subjectName: newUser.name } as const
  const changes = changesBetween(null, newUser, shownFields)
  return askSecondPerson(tx, { ...about, changes, by: admin, protection }, now)
}
