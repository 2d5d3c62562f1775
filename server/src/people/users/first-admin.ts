import { randomBytes } from "node:crypto"
import type { Db, Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { DomainError, StartError } from "#kit/errors"
import { newId } from "#kit/ids"
import { hashOfToken, newToken } from "#kit/secrets"
import { endFreeze } from "#people/freezes/freeze"
import { eraseFactors } from "#people/second-factors/factors"
import { closeSessionsOf } from "#people/sessions/sessions"
import { recordAudit } from "#platform/audit/record"
import { notifyAdmins } from "#platform/mails/notify-owner"
import { endResetsOf, insertReset } from "./credentials-table.ts"
import { hashPassword } from "./passwords.ts"
import { existsAdmin, type UserWithPassword } from "./reads.ts"
import { emailKeyOf } from "./rules.ts"
import { insertUserOnce, lockFirstAdmin, lockUserByEmail } from "./table.ts"

/** Returns the password if it was generated: it is stored nowhere, so it must be shown now. */
export async function ensureFirstAdmin(
  { db, clock }: { db: Db; clock: Clock },
  { email, password }: { email: string | null; password: string | null },
): Promise<{ email: string; inventedPassword: string | null } | null> {
  if (await existsAdmin(db)) return null

  const inventedPassword = password === null ? randomBytes(16).toString("base64url") : null
  const admin: UserWithPassword = {
    id: newId(),
    name: "Administrador",
    email: email ?? "admin@localhost",
    passwordHash: await hashPassword(password ?? inventedPassword ?? ""),
    isPasswordVoid: false,
    cpf: "",
    phone: "",
    address: {},
    bankAccount: {},
    paymentMails: "each",
    emailState: "unasked",
    anyName: false,
    feePercentage: null,
    role: "admin",
    active: true,
    adminRightsFrom: null,
    note: "",
    hasInitialPassword: password === null,
    hasShop: true,
    createdAt: clock.now(),
  }
  const isNew = await db.transaction().execute((tx) => insertFirstAdmin(tx, admin))
  return isNew ? { email: admin.email, inventedPassword } : null
}

/** Several nodes may start at once: one of them creates the admin. */
async function insertFirstAdmin(tx: Tx, admin: UserWithPassword): Promise<boolean> {
  await lockFirstAdmin(tx)
  if (await existsAdmin(tx)) return false
  if (await insertUserOnce(tx, admin)) return true
  throw new StartError(`ADMIN_EMAIL: ${admin.email} já pertence a um vendedor; escolha outro e-mail.`)
}

export const printedLinkMinutes = 30

interface AdminLinkInput {
  email: string
  /** Phone and recovery codes are lost, too. */
  removesFactors: boolean
}

/**
 * A link to a new password that no mail carries, for an operator at the machine who has made sure who asks: it opens an
 * administrator's account and no seller's. The account's sessions end at once, and all administrators hear of it.
 */
export async function printAdminLink(
  { db, clock }: { db: Db; clock: Clock },
  input: AdminLinkInput,
): Promise<{ token: string }> {
  return db.transaction().execute((tx) => printLink(tx, input, clock.now()))
}

async function printLink(tx: Tx, { email, removesFactors }: AdminLinkInput, now: Date): Promise<{ token: string }> {
  const admin = await lockUserByEmail(tx, emailKeyOf(email))
  if (admin === undefined || admin.role !== "admin" || !admin.active) throw new DomainError("user_not_found")
  const token = newToken()
  const expiresAt = secondsAfter(now, printedLinkMinutes * 60)
  await endResetsOf(tx, admin.id, now)
  await insertReset(tx, { tokenHash: hashOfToken(token), userId: admin.id, createdAt: now, expiresAt })
  if (removesFactors) {
    await eraseFactors(tx, admin.id)
    // No factor that the freeze trusts is left, and there may be no other administrator.
    await endFreeze(tx, { userId: admin.id, by: { id: admin.id, address: null } }, now)
  }
  await closeSessionsOf(tx, admin.id, { spared: null, by: null }, now)
  await recordAudit(tx, {
    actor: null,
    happenedAt: now,
    action: "user.link_printed",
    entity: "user",
    entityId: admin.id,
    before: null,
    after: { factorsRemoved: removesFactors },
  })
  const notice = {
    kind: "reset_link_printed",
    email: admin.email,
    removesFactors,
    printedAt: now.toISOString(),
  } as const
  await notifyAdmins(tx, { notice }, now)
  return { token }
}
