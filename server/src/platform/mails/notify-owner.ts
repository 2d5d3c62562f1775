import type { Tx } from "#db/transaction"
import { newId } from "#kit/ids"
import type { SettingChange } from "#platform/settings/manage"
import type { MailContent, NewMail } from "./mail-content.ts"
import { mailOfNotice, type Notice } from "./notice.ts"
import { findActiveAdmins, findUserName } from "./reads.ts"
import {
  deleteNoticesOfKeys,
  deleteUnsentOfKeys,
  deleteWaitingOfKeys,
  insertMailsOnce,
  insertNoticesOnce,
  type NoticeKey,
  saveNotices,
} from "./table.ts"

export interface OwnerNotice {
  userId: string
  /** Null for a mail alone, which stands in no list. */
  notice: Notice | null
  /** Deduplication: one notice and one mail per key, however often it is written. Without one each call writes a new one. */
  dedupeKey?: string
  /** A subject that goes on: its one notice is written over, and is unread again. Its mails keep their own keys. */
  about?: string
  /** The address that the mail goes to, instead of the user's. */
  mailTo?: string
  /** A token from `issueNotMeLink`: the mail gets the button 'Não fui eu', which stops the account. */
  notMe?: string
  /** Another letter than the kind's own, as when it holds a link; null sends none. */
  mail?: MailContent | null
}

/**
 * Writes the notices into their owners' lists and enqueues the mails of those kinds that have one. Call it in the
 * transaction of the change that it reports.
 */
export async function notifyOwners(tx: Tx, notices: readonly OwnerNotice[], now: Date): Promise<void> {
  if (notices.length === 0) return
  const keyed = notices.map((each) => ({ ...each, dedupeKey: each.dedupeKey ?? newId() }))
  const listed = keyed.flatMap((each) =>
    each.notice === null ? [] : [{ ...each, notice: each.notice, createdAt: now }],
  )
  await insertNoticesOnce(
    tx,
    listed.filter(({ about }) => about === undefined),
  )
  await saveNotices(tx, lastOfEach(listed))
  await insertMailsOnce(tx, keyed.flatMap(mailsOf), now)
}

/** The last word on a subject is its notice. */
function lastOfEach<Listed extends { userId: string; about?: string }>(listed: readonly Listed[]) {
  const ofSubjects = listed.flatMap((each) => (each.about === undefined ? [] : [{ ...each, dedupeKey: each.about }]))
  return [...new Map(ofSubjects.map((each) => [`${each.userId} ${each.dedupeKey}`, each])).values()]
}

export async function notifyOwner(tx: Tx, notice: OwnerNotice, now: Date): Promise<void> {
  await notifyOwners(tx, [notice], now)
}

/** Notifies every active administrator. */
export async function notifyAdmins(tx: Tx, notice: Omit<OwnerNotice, "userId" | "mailTo">, now: Date): Promise<void> {
  const key = notice.dedupeKey ?? newId()
  const admins = await findActiveAdmins(tx)
  await notifyOwners(
    tx,
    admins.map((userId) => ({ ...notice, userId, dedupeKey: `${key}:${userId}` })),
    now,
  )
}

function mailsOf({ userId, notice, dedupeKey, mailTo, notMe, mail }: OwnerNotice & { dedupeKey: string }): NewMail[] {
  const content = mail === undefined && notice !== null ? mailOfNotice(notice) : (mail ?? null)
  if (content === null) return []
  return [
    { userId, content, dedupeKey, ...(mailTo !== undefined && { to: mailTo }), ...(notMe !== undefined && { notMe }) },
  ]
}

/** Call it in the transaction that the mails report: they are sent if and only if it commits. */
export async function enqueueMails(tx: Tx, mails: readonly NewMail[], now: Date): Promise<void> {
  await insertMailsOnce(tx, mails, now)
}

/** Deduplicates mails of receipts. */
export function receiptMailKey(chargeId: string): string {
  return `receipt:${chargeId}`
}

/** Nor to a payer whose data are erased. The charge may not have such a mail. */
export async function withdrawReceipts(tx: Tx, chargeIds: readonly string[]): Promise<void> {
  await deleteUnsentOfKeys(tx, chargeIds.map(receiptMailKey))
}

/** Takes back mails that nobody is sending now; returns their keys. */
export async function withdrawMails(tx: Tx, dedupeKeys: readonly string[], now: Date): Promise<string[]> {
  return deleteWaitingOfKeys(tx, dedupeKeys, now)
}

/** Takes back what another notice says too. */
export async function withdrawNotices(tx: Tx, keys: readonly NoticeKey[]): Promise<void> {
  await deleteNoticesOfKeys(tx, keys)
}

const MOST_SHOWN = 120

/** Notifies every administrator, also the one who changed it: a stolen session must not change settings unnoticed. */
export async function notifyOfSetting(tx: Tx, { actor, key, before, after }: SettingChange, now: Date): Promise<void> {
  const changedBy = await findUserName(tx, actor.id)
  const notice = {
    kind: "setting_changed",
    key,
    before: valueText(before),
    after: valueText(after),
    changedBy,
    changedAt: now.toISOString(),
  } as const
  await notifyAdmins(tx, { notice }, now)
}

function valueText(value: SettingChange["after"] | null): string {
  if (typeof value === "boolean") return value ? "Sim" : "Não"
  if (value === null || value === "") return "vazio"
  const text = String(value)
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text
}
