import type { UpdateMeBody } from "@tilinta/contract/users"
import { isAmbiguousPixKey, parsePixKey } from "@tilinta/contract/vocabulary/pix-key"
import { validate as isUuid } from "uuid"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { issueNotMeLink } from "#people/freezes/freeze"
import { type Proof, requireStepUp } from "#people/second-factors/factors"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { whenceOf } from "#platform/mails/mail-content"
import { notifyOwner } from "#platform/mails/notify-owner"
import { refuseMisleading } from "./misleading-names.ts"
import { findUserByMailToken } from "./reads.ts"
import { auditOfUser, changesOfAccount, changesOfData, paymentMailsLabel, type User } from "./rules.ts"
import { lockUser, updateProfileRow } from "./table.ts"

/** Missing fields stay as they are. Owners can never change e-mail, CPF, role, state or balance. */
export async function updateProfile(
  { db, clock }: { db: Db; clock: Clock },
  owner: Actor,
  sent: UpdateMeBody,
  /** Null where nobody from outside asks. */
  proof: Proof | null = null,
): Promise<User> {
  if (proof !== null) {
    await refuseMisleading({ db, protection: proof.protection }, { userId: owner.id, texts: { name: sent.name } })
  }
  const now = clock.now()
  return db.transaction().execute((tx) => saveProfile(tx, owner, { sent, proof, now }))
}

interface Update {
  sent: UpdateMeBody
  proof: Proof | null
  now: Date
}

/** Only a changed payout destination asks who it is. */
async function saveProfile(tx: Tx, owner: Actor, { sent, proof, now }: Update): Promise<User> {
  const before = await lockUser(tx, owner.id)
  if (before === undefined) throw new DomainError("not_found")
  const { passwordHash: _, isPasswordVoid: _isVoid, ...user } = before
  const after: User = {
    ...user,
    name: sent.name ?? user.name,
    phone: sent.phone ?? user.phone,
    address: { ...user.address, ...givenOf(sent.address) },
    bankAccount: { ...user.bankAccount, ...givenOf(withCanonicalKey(sent.bankAccount)) },
    paymentMails: sent.paymentMails ?? user.paymentMails,
  }
  const entry = auditOfUser("user.profile_updated", { before: user, after }, owner, now)
  if (entry === null) return after

  const changes = changesOfAccount(user.bankAccount, after.bankAccount)
  if (changes.length > 0 && proof !== null) await requireStepUp(tx, proof)
  await updateProfileRow(tx, after, now)
  await recordAudit(tx, entry)
  await notifyOfChanges(tx, owner, { user, after, now })
  return after
}

/** Attackers who take over an account change its payout destination first: that is told as a warning, with whatever else changed. */
async function notifyOfChanges(
  tx: Tx,
  owner: Actor,
  { user, after, now }: { user: User; after: User; now: Date },
): Promise<void> {
  const userId = owner.id
  const facts = { changedAt: now.toISOString(), ...whenceOf(owner) }
  const ofAccount = changesOfAccount(user.bankAccount, after.bankAccount)
  const changes = [...ofAccount, ...changesOfData(user, after)]
  const notice =
    ofAccount.length > 0
      ? ({ kind: "bank_account_changed", changes, ...facts } as const)
      : ({ kind: "account_changed", byAdmin: false, changes, ...facts } as const)
  const isAboutMails = changes.every(({ label }) => label === paymentMailsLabel)
  const mail = isAboutMails ? { mail: null } : ofAccount.length > 0 ? await withNotMe(tx, userId, now) : {}
  await notifyOwner(tx, { userId, notice, ...mail }, now)
}

async function withNotMe(tx: Tx, userId: string, now: Date): Promise<{ notMe: string }> {
  return { notMe: await issueNotMeLink(tx, userId, now) }
}

/** As the Pix directory keeps it, where it can be read without doubt. */
function withCanonicalKey<Account extends { pixKey?: string | undefined }>(account: Account | undefined) {
  const typed = account?.pixKey
  const parsed = typed === undefined || isAmbiguousPixKey(typed) ? null : parsePixKey(typed)
  return account && parsed !== null ? { ...account, pixKey: parsed.key } : account
}

type Given<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

function givenOf<Fields extends object>(fields: Fields | undefined): Given<Fields> {
  const entries = Object.entries(fields ?? {}).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Given<Fields>
}

/** Null for an unknown token. Not a secret of the account: it only ends mails. */
export async function ownerOfMails(db: Db, mailToken: string): Promise<{ id: string; wants: boolean } | null> {
  const user = isUuid(mailToken) ? await findUserByMailToken(db, mailToken) : undefined
  return user === undefined ? null : { id: user.id, wants: user.paymentMails !== "none" }
}

/** False for an unknown token. Any number of times is once. */
export async function endPaymentMails(
  deps: { db: Db; clock: Clock },
  { mailToken, address }: { mailToken: string; address: string },
): Promise<boolean> {
  const owner = await ownerOfMails(deps.db, mailToken)
  if (owner === null) return false
  await updateProfile(deps, { id: owner.id, address }, { paymentMails: "none" })
  return true
}
