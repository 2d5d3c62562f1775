import type { Db, Tx } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { type Clock, secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import { holdsSecret, mailLifetimeSeconds } from "./mail-content.ts"
import { lockUnsentMail, type MailState, type ProblemMail, readMails, requeueMail } from "./mail-state-repository.ts"

const SHOWN_SECONDS = 7 * 86_400

/** Older failures are of no use to anybody. */
export function readMailState(db: Db, now: Date): Promise<MailState> {
  return readMails(db, secondsAfter(now, -SHOWN_SECONDS))
}

/** A mail that opened an account is erased when given up: a new link has to be requested. */
export function isRepeatable({ kind, givenUpAt }: ProblemMail): boolean {
  return givenUpAt === null || (kind !== null && !holdsSecret(kind))
}

interface Retry {
  id: string
  admin: Actor
}

export async function retryMail({ db, clock }: { db: Db; clock: Clock }, retry: Retry): Promise<void> {
  if (!isId(retry.id)) throw new DomainError("mail_not_found")
  const now = clock.now()
  await db.transaction().execute((tx) => bringForward(tx, retry, now))
}

async function bringForward(tx: Tx, { id, admin }: Retry, now: Date): Promise<void> {
  const mail = await lockUnsentMail(tx, id)
  if (mail === undefined) throw new DomainError("mail_not_found")
  const { givenUpAt, attempts, lastError } = mail
  const kind = mail.content.kind
  if (givenUpAt !== null && (kind === undefined || holdsSecret(kind))) throw new DomainError("mail_not_repeatable")
  if (givenUpAt === null && mail.sendAfter <= now) return
  const giveUpAt =
    givenUpAt === null || kind === undefined ? mail.giveUpAt : secondsAfter(now, mailLifetimeSeconds[kind])
  await requeueMail(tx, id, { sendAfter: now, giveUpAt })
  const entry = { actor: admin, happenedAt: now, action: "mail.retried", entity: "mail", entityId: id } as const
  await recordAudit(tx, { ...entry, before: null, after: { kind: kind ?? null, attempts, lastError } })
}
