import type { Db, Tx } from "#db/transaction"
import { type Clock, secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { isId } from "#kit/ids"
import type { Logger } from "#kit/log"
import { type Delivery, envelopeOf, layOutMail, type Mailer, type OutgoingMail } from "#mail/mailer"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { readPlatform } from "#platform/settings/reads"
import { isPaymentsRush } from "#platform/system/node"
import { holdsSecret, isOptional, mailLifetimeSeconds } from "./mail-content.ts"
import { type MailState, type ProblemMail, readMails } from "./reads.ts"
import {
  type ClaimedMail,
  claimMails,
  giveMailUp,
  lockUnsentMail,
  markMailsSent,
  postponeMail,
  requeueMail,
} from "./table.ts"
import { writeLetter } from "./write-letter.ts"

interface Deps {
  db: Db
  clock: Clock
  log: Logger
  mailer: Mailer
  /** Base address of links in mails. */
  publicUrl: string
}

const BATCH = 25
/** Limits a run, so that a flood of payments leaves the machine to payers; the rest follows in later runs. */
const BATCHES_PER_TURN = 4
const BATCH_IN_RUSH = 5
/** Longer than a batch takes at a mail server that runs into every timeout. */
const LEASE_SECONDS = 5 * 60
const LONGEST_WAIT_SECONDS = 3_600

/**
 * Sends waiting mails outside any transaction. A mail is sent once; only a crash between the server's acceptance and
 * our record of it sends it again, under the same Message-ID.
 */
export async function sendMails(deps: Deps): Promise<void> {
  for (let batch = 0; batch < BATCHES_PER_TURN; batch += 1) {
    const now = deps.clock.now()
    const isRush = await isPaymentsRush(deps.db, now)
    const claim = { now, until: secondsAfter(now, LEASE_SECONDS), limit: isRush ? BATCH_IN_RUSH : BATCH }
    const claimed = await deps.db.transaction().execute((tx) => claimMails(tx, claim))
    if (claimed.length === 0) return

    const results = await deliver(deps, claimed, now)
    const endedAt = deps.clock.now()
    logFailures(deps.log, results, endedAt)
    await deps.db.transaction().execute((tx) => recordResults(tx, results, endedAt))
    // A server that accepts nothing is left alone until the next run.
    if (isRush || !results.some(({ delivery }) => delivery.isSent)) return
  }
}

interface Result {
  mail: ClaimedMail
  delivery: Delivery
}

async function deliver({ db, mailer, publicUrl }: Deps, claimed: ClaimedMail[], now: Date): Promise<Result[]> {
  const platform = await readPlatform(db)
  const timely = claimed.filter((mail) => mail.giveUpAt > now)
  const overdue = claimed.filter((mail) => mail.giveUpAt <= now)
  const deliveries = await mailer.send(timely.map((mail) => toOutgoing(mail, platform, publicUrl)))
  return [
    ...timely.map((mail, index) => ({ mail, delivery: deliveries[index] ?? noAnswer })),
    ...overdue.map((mail) => ({ mail, delivery: tooLate })),
  ]
}

const noAnswer: Delivery = { isSent: false, problem: "no answer", isFinal: false }
const tooLate: Delivery = { isSent: false, problem: "too late", isFinal: true }

type Sender = Awaited<ReturnType<typeof readPlatform>>

function toOutgoing(
  { id, to, name, content, mailToken }: ClaimedMail,
  platform: Sender,
  publicUrl: string,
): OutgoingMail {
  const written = writeLetter(content, name, publicUrl)
  const unsubscribe = isOptional(content.kind)
    ? { label: "Não quero mais receber estes e-mails", url: unsubscribeUrlOf(publicUrl, mailToken) }
    : written.unsubscribe
  const notMe = content.notMe === undefined ? {} : { notMeUrl: notMeUrlOf(publicUrl, content.notMe) }
  const letter = { ...written, ...(unsubscribe && { unsubscribe }), ...notMe }
  const { name: sender, replyTo } = envelopeOf(letter, platform)
  const from = { name: sender, address: platform.mailFrom }
  const oneClick = unsubscribe && { unsubscribeUrl: unsubscribe.url }
  return { id, to, from, replyTo, ...oneClick, ...layOutMail(letter, platform) }
}

async function recordResults(tx: Tx, results: Result[], now: Date): Promise<void> {
  const sent = results.filter(({ delivery }) => delivery.isSent)
  if (sent.length > 0) {
    await markMailsSent(
      tx,
      sent.map(({ mail }) => mail.id),
      now,
    )
  }
  for (const { mail, delivery } of results) {
    if (delivery.isSent) continue
    const { problem } = delivery
    if (isGivenUp({ mail, delivery }, now)) await giveMailUp(tx, mail, { givenUpAt: now, problem })
    else await postponeMail(tx, mail.id, { sendAfter: nextTry(mail, now), problem })
  }
}

function nextTry({ attempts }: ClaimedMail, now: Date): Date {
  return secondsAfter(now, Math.min(5 * 2 ** (attempts - 1), LONGEST_WAIT_SECONDS))
}

function isGivenUp({ mail, delivery }: Result, now: Date): boolean {
  return !delivery.isSent && (delivery.isFinal || nextTry(mail, now) >= mail.giveUpAt)
}

function logFailures(log: Logger, results: Result[], now: Date): void {
  for (const { mail, delivery } of results) {
    if (delivery.isSent) continue
    const fields = { mail: mail.id, kind: mail.content.kind, attempts: mail.attempts, problem: delivery.problem }
    if (isGivenUp({ mail, delivery }, now)) log.error({ ...fields, alarm: "mail_given_up" }, "a mail was given up")
    else log.warn(fields, "a mail could not be sent yet")
  }
}

export const notMePath = "/not-me/:token"

function notMeUrlOf(publicUrl: string, token: string): string {
  return publicUrl + notMePath.replace(":token", token)
}

export const unsubscribePath = "/emails/:token"

function unsubscribeUrlOf(publicUrl: string, mailToken: string): string {
  return publicUrl + unsubscribePath.replace(":token", mailToken)
}

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
