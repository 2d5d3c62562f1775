import { expect } from "vitest"
import type { OutboxMail } from "#mail/outbox"
import { listNotices } from "#platform/mails/notices"
import { deliverAllMails } from "./mail-delivery.ts"
import type { TestApp } from "./test-app.ts"

interface Person {
  id: string
  email: string
}

interface Told {
  /** The title in the owner's list, where it isn't the mail's subject. */
  notice?: string
  /** Stands in the mail. */
  says?: readonly string[]
}

export type ExpectTold = (person: Person, subject: string, told?: Told) => Promise<OutboxMail>
export type ExpectListed = (person: Person, title: string) => Promise<void>

const withinMs = 10_000

/**
 * The owner has a mail with this subject and a notice, both of the last ten seconds. The job that sends mails runs each second,
 * so what is due at once is there in time: call this before the clock moves on.
 */
export async function expectTold(
  site: Pick<TestApp, "db" | "clock" | "protection">,
  { id, email }: Person,
  subject: string,
  { notice = subject, says = [] }: Told = {},
): Promise<OutboxMail> {
  const since = site.clock.now().getTime() - withinMs
  const mails = (await deliverAllMails(site, email)).filter(({ sentAt }) => sentAt.getTime() >= since)
  const mail = mails.find((each) => plain(each.subject) === subject)
  if (mail === undefined)
    throw new Error(`not told of “${subject}” but of: ${mails.map((each) => each.subject).join()}`)
  const row = site.db.selectFrom("mails").select("created_at").where("id", "=", mail.id)
  const writtenAt = (await row.executeTakeFirstOrThrow()).created_at.getTime()
  expect(mail.sentAt.getTime() - writtenAt).toBeLessThanOrEqual(withinMs)
  expect(await recentTitles(site, id)).toContain(notice)
  for (const part of says) expect(mail.text).toContain(part)
  return mail
}

/** The owner reads it in the list, and no mail goes out. */
export async function expectListed(
  site: Pick<TestApp, "db" | "clock" | "protection">,
  { id, email }: Person,
  title: string,
): Promise<void> {
  expect(await recentTitles(site, id)).toContain(title)
  expect((await deliverAllMails(site, email)).map(({ subject }) => plain(subject))).not.toContain(title)
}

async function recentTitles({ db, clock }: Pick<TestApp, "db" | "clock">, userId: string): Promise<string[]> {
  const since = clock.now().getTime() - withinMs
  const { notices } = await listNotices(db, userId, { limit: 50 })
  return notices.filter(({ told_at }) => told_at.getTime() >= since).map(({ title }) => plain(title))
}

/** An amount is written with a blank that doesn't break. */
function plain(text: string): string {
  return text.replaceAll("\u00a0", " ")
}
