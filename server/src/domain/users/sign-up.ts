import type { SignupBody } from "@tilinta/contract/api/auth-endpoints"
import { isCpf } from "@tilinta/contract/vocabulary/payer-data"
import type { Db, Tx } from "#db/transaction"
import { openSession, type SessionOrigin } from "#domain/sessions/open-session"
import type { Clock } from "#kit/clock"
import { brokenRule } from "#kit/domain-error"
import { newId } from "#kit/ids"
import { emailTaken } from "./email-taken.ts"
import { hashPassword } from "./password.ts"
import type { User } from "./user.ts"
import { findUserByEmail, insertUserOnce, type UserWithPassword } from "./users-repository.ts"

interface Deps {
  db: Db
  clock: Clock
  /** Where real money moves a CPF must be one that can exist; the sandbox takes any eleven digits. */
  isSandbox: boolean
}

/** Who registers is a seller and active: role, balance and state are never theirs to choose. */
export async function signUp(
  { db, clock, isSandbox }: Deps,
  form: SignupBody,
  origin: SessionOrigin,
): Promise<{ user: User; token: string }> {
  if (!isSandbox && !isCpf(form.cpf)) throw brokenRule("cpf", "CPF inválido")
  if ((await findUserByEmail(db, form.email)) !== undefined) throw emailTaken()

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
  const token = await db.transaction().execute((tx) => register(tx, user, origin))
  return { user, token }
}

async function register(tx: Tx, user: UserWithPassword, origin: SessionOrigin): Promise<string> {
  const isNew = await insertUserOnce(tx, user)
  if (!isNew) throw emailTaken()
  return openSession(tx, user, origin, user.createdAt)
}
