import type { SignupBody } from "@tilinta/contract/api/auth-endpoints"
import { isCpf } from "@tilinta/contract/vocabulary/payer-data"
import type { Db, Tx } from "#db/transaction"
import { openSession, type SessionOrigin } from "#domain/people/sessions/open-session"
import { claimIdempotencyKey } from "#domain/platform/idempotency/claim-idempotency-key"
import type { Clock } from "#kit/clock"
import { brokenRule, DomainError } from "#kit/domain-error"
import { idOfText, newId } from "#kit/ids"
import { emailTaken } from "./email-taken.ts"
import { logIn } from "./log-in.ts"
import { hashPassword } from "./password.ts"
import { countSignup } from "./signup-limit.ts"
import { emailKeyOf, type User } from "./user.ts"
import { findUserByEmail, insertUserOnce, type UserWithPassword } from "./users-repository.ts"

interface Deps {
  db: Db
  clock: Clock
  /** With real money a CPF needs valid check digits; the sandbox accepts any eleven digits. */
  isSandbox: boolean
}

interface Signup {
  form: SignupBody
  origin: SessionOrigin
  /** Scoped to the e-mail, since there is no user yet. */
  idempotencyKey: string | null
}

/** A new user is an active seller: role, balance and state are never theirs to choose. */
export async function signUp(deps: Deps, signup: Signup): Promise<{ user: User; token: string }> {
  const { db, clock, isSandbox } = deps
  const { form, origin, idempotencyKey } = signup
  if (!isSandbox && !isCpf(form.cpf)) throw brokenRule("cpf", "CPF inválido")
  await db.transaction().execute((tx) => countSignup(tx, origin.address, clock.now()))
  if (idempotencyKey === null && (await findUserByEmail(db, form.email)) !== undefined) throw emailTaken()

  const user: UserWithPassword = {
    id: newId(),
    name: form.name,
    email: form.email,
    passwordHash: await hashPassword(form.password),
    cpf: form.cpf,
    phone: form.phone,
    address: form.address,
    bankAccount: {},
    role: "user",
    active: true,
    createdAt: clock.now(),
  }
  const token = await db.transaction().execute((tx) => register(tx, user, signup))
  return token === null ? answerAgain(deps, signup) : { user, token }
}

/** Null when the key has already created the account. */
async function register(
  tx: Tx,
  user: UserWithPassword,
  { form, origin, idempotencyKey }: Signup,
): Promise<string | null> {
  const { password: _, passwordConfirm: __, ...request } = form
  const ownerId = idOfText(emailKeyOf(form.email))
  const firstId = await claimIdempotencyKey(tx, { ownerId, key: idempotencyKey, request, resourceId: user.id })
  if (firstId !== user.id) return null
  const isNew = await insertUserOnce(tx, user)
  if (!isNew) throw emailTaken()
  return openSession(tx, user, origin, user.createdAt)
}

/**
 * The first token is stored nowhere, so a retry gets a new one: after checking the password, and counted like a login.
 */
async function answerAgain(deps: Deps, { form, origin }: Signup): Promise<{ user: User; token: string }> {
  try {
    return await logIn(deps, { email: form.email, password: form.password, origin })
  } catch (error) {
    const isOtherPassword = error instanceof DomainError && error.code === "wrong_credentials"
    throw isOtherPassword ? new DomainError("idempotency_key_reused") : error
  }
}
