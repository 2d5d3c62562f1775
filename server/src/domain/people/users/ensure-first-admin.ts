import { randomBytes } from "node:crypto"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { newId } from "#kit/ids"
import { StartError } from "#kit/start-error"
import { hashPassword } from "./password.ts"
import {
  existsAdmin,
  insertUserOnce,
  lockFirstAdmin,
  markPasswordInitial,
  type UserWithPassword,
} from "./users-repository.ts"

interface Options {
  email: string | null
  password: string | null
}

/** Returns the password if it was generated: it is stored nowhere, so it must be shown now. */
export async function ensureFirstAdmin(
  { db, clock }: { db: Db; clock: Clock },
  { email, password }: Options,
): Promise<{ email: string; inventedPassword: string | null } | null> {
  if (await existsAdmin(db)) return null

  const inventedPassword = password === null ? randomBytes(16).toString("base64url") : null
  const admin: UserWithPassword = {
    id: newId(),
    name: "Administrador",
    email: email ?? "admin@localhost",
    passwordHash: await hashPassword(password ?? inventedPassword ?? ""),
    cpf: "",
    phone: "",
    address: {},
    bankAccount: {},
    paymentMails: "each",
    emailState: "unasked",
    anyName: false,
    role: "admin",
    active: true,
    adminRightsFrom: null,
    createdAt: clock.now(),
  }
  const isNew = await db.transaction().execute((tx) => insertFirstAdmin(tx, admin, { isInvented: password === null }))
  return isNew ? { email: admin.email, inventedPassword } : null
}

/** Several nodes may start at once: one of them creates the admin. */
async function insertFirstAdmin(
  tx: Tx,
  admin: UserWithPassword,
  { isInvented }: { isInvented: boolean },
): Promise<boolean> {
  await lockFirstAdmin(tx)
  if (await existsAdmin(tx)) return false
  if (await insertUserOnce(tx, admin)) {
    if (isInvented) await markPasswordInitial(tx, admin.id)
    return true
  }
  throw new StartError(`ADMIN_EMAIL: ${admin.email} já pertence a um vendedor; escolha outro e-mail.`)
}
