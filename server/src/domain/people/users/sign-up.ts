import type { SignupBody } from "@tilinta/contract/api/auth-endpoints"
import { isCpf } from "@tilinta/contract/vocabulary/payer-data"
import type { Db, Tx } from "#db/transaction"
import { openSession, type SessionOrigin } from "#domain/people/sessions/open-session"
import { claimIdempotencyKey } from "#domain/platform/idempotency/claim-idempotency-key"
import { acceptTextsInForce } from "#domain/platform/legal-texts/accept-legal-texts"
import type { Clock } from "#kit/clock"
import { brokenRule, DomainError } from "#kit/domain-error"
import { idOfText, newId } from "#kit/ids"
import type { Protection } from "#kit/protection"
import type { SecretKeys } from "#kit/secret-box"
import { askConfirmation } from "./ask-confirmation.ts"
import { emailTaken } from "./email-taken.ts"
import { rememberDevice } from "./known-device.ts"
import { logIn } from "./log-in.ts"
import { hashPassword } from "./password.ts"
import { refuseGuessable } from "./password-rules.ts"
import { refuseMisleading } from "./refuse-misleading.ts"
import { countSignup } from "./signup-limit.ts"
import { emailKeyOf, type User } from "./user.ts"
import { insertUserOnce, type UserWithPassword } from "./users-repository.ts"

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
  const { form, origin, idempotencyKey } = signup
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
    cpf: form.cpf,
    phone: form.phone,
    address: form.address,
    bankAccount: {},
    paymentMails: "each",
    emailState: protection === "strict" ? "unconfirmed" : "unasked",
    anyName: false,
    role: "user",
    active: true,
    adminRightsFrom: null,
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
