import type { UpdateMeBody } from "@tilinta/contract/api/users-endpoints"
import { accountTypeLabels, accountTypes } from "@tilinta/contract/vocabulary/account-types"
import { isAmbiguousPixKey, parsePixKey } from "@tilinta/contract/vocabulary/pix-key"
import type { Db, Tx } from "#db/transaction"
import { type Proof, requireStepUp } from "#domain/people/second-factors/require-step-up"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { enqueueMails } from "#domain/platform/mails/enqueue-mails"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { newId } from "#kit/ids"
import { lastOnes, maskedPixKey } from "#kit/masked-pix-key"
import type { User } from "./user.ts"
import { auditOfUser } from "./user-audit.ts"
import { lockUser, updateProfileRow } from "./users-repository.ts"

/** Missing fields stay as they are. Owners can never change e-mail, CPF, role, state or balance. */
export async function updateProfile(
  { db, clock }: { db: Db; clock: Clock },
  owner: Actor,
  sent: UpdateMeBody,
  /** Null where nobody from outside asks. */
  proof: Proof | null = null,
): Promise<User> {
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
  const { passwordHash: _, ...user } = before
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
  if (changes.length > 0) await warnOwner(tx, owner, { changes, now })
  return after
}

/** Attackers who take over an account change its payout destination first, so the owner is warned by mail. */
async function warnOwner(tx: Tx, owner: Actor, { changes, now }: { changes: Change[]; now: Date }): Promise<void> {
  const content = {
    kind: "bank_account_changed",
    changedAt: now.toISOString(),
    changes,
    address: owner.address,
  } as const
  const dedupeKey = `bank-account-changed:${newId()}`
  await enqueueMails(tx, [{ userId: owner.id, dedupeKey, content }], now)
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

interface Change {
  label: string
  before: string
  after: string
}

const accountFields = {
  bank: { label: "Banco", shown: (text) => text },
  agency: { label: "Agência", shown: (text) => lastOnes(text, 2) },
  account: { label: "Conta", shown: (text) => lastOnes(text, 3) },
  accountType: { label: "Tipo de conta", shown: accountTypeText },
  pixKey: { label: "Chave Pix", shown: maskedPixKey },
} as const satisfies Record<keyof User["bankAccount"], { label: string; shown(text: string): string }>

function accountTypeText(word: string): string {
  const type = accountTypes.find((each) => each === word)
  return type === undefined ? word : accountTypeLabels[type]
}

/** Masked, because the mail may be read over a shoulder. */
function changesOfAccount(before: User["bankAccount"], after: User["bankAccount"]): Change[] {
  return Object.entries(accountFields).flatMap(([name, { label, shown }]) => {
    const [old, fresh] = [before, after].map((account) => account[name as keyof typeof accountFields] ?? "")
    if (old === fresh) return []
    return [{ label, before: old ? shown(old) : "vazio", after: fresh ? shown(fresh) : "vazio" }]
  })
}
