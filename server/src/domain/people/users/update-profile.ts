import type { UpdateMeBody } from "@tilinta/contract/api/users-endpoints"
import type { Db, Tx } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { enqueueMails } from "#domain/platform/mails/enqueue-mails"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { newId } from "#kit/ids"
import type { User } from "./user.ts"
import { auditOfUser } from "./user-audit.ts"
import { lockUser, updateProfileRow } from "./users-repository.ts"

/** Missing fields stay as they are. Owners can never change e-mail, CPF, role, state or balance. */
export async function updateProfile(
  { db, clock }: { db: Db; clock: Clock },
  owner: Actor,
  sent: UpdateMeBody,
): Promise<User> {
  const now = clock.now()
  return db.transaction().execute((tx) => saveProfile(tx, owner, { sent, now }))
}

async function saveProfile(tx: Tx, owner: Actor, { sent, now }: { sent: UpdateMeBody; now: Date }): Promise<User> {
  const before = await lockUser(tx, owner.id)
  if (before === undefined) throw new DomainError("not_found")
  const { passwordHash: _, ...user } = before
  const after: User = {
    ...user,
    name: sent.name ?? user.name,
    phone: sent.phone ?? user.phone,
    address: { ...user.address, ...givenOf(sent.address) },
    bankAccount: { ...user.bankAccount, ...givenOf(sent.bankAccount) },
  }
  const entry = auditOfUser("user.profile_updated", { before: user, after }, owner, now)
  if (entry === null) return after

  await updateProfileRow(tx, after, now)
  await recordAudit(tx, entry)
  if (isOtherAccount(user.bankAccount, after.bankAccount)) await warnOwner(tx, owner.id, now)
  return after
}

/** Attackers who take over an account change its payout destination first, so the owner is warned by mail. */
async function warnOwner(tx: Tx, userId: string, now: Date): Promise<void> {
  const content = { kind: "bank_account_changed", changedAt: now.toISOString() } as const
  await enqueueMails(tx, [{ userId, dedupeKey: `bank-account-changed:${newId()}`, content }], now)
}

type Given<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

function givenOf<Fields extends object>(fields: Fields | undefined): Given<Fields> {
  const entries = Object.entries(fields ?? {}).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Given<Fields>
}

function isOtherAccount(before: User["bankAccount"], after: User["bankAccount"]): boolean {
  const names = ["bank", "agency", "account", "accountType", "pixKey"] as const
  return names.some((name) => (before[name] ?? "") !== (after[name] ?? ""))
}
