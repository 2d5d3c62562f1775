import type { MailContent } from "#domain/platform/mails/mail-content"
import { accountNotices } from "./account-notices.ts"
import { adminNotices } from "./admin-notices.ts"
import { moneyNotices } from "./money-notices.ts"
import type { NoticeKind, NoticeText } from "./notice-kind.ts"

/** All kinds: an entry in one of these lists is all that a new one needs. */
const noticeKinds = { ...accountNotices, ...moneyNotices, ...adminNotices }

type Kinds = typeof noticeKinds
type FactsOf<Kind extends keyof Kinds> = Kinds[Kind] extends NoticeKind<infer Facts> ? Facts : never

/** A kind with its facts, as it is stored. */
export type Notice = { [Kind in keyof Kinds]: { kind: Kind } & FactsOf<Kind> }[keyof Kinds]

export interface WrittenNotice extends NoticeText {
  tone: "info" | "warning"
}

export function writeNotice({ kind, ...facts }: Notice): WrittenNotice {
  const { tone, write } = noticeKinds[kind] as NoticeKind<object>
  return { tone, ...write(facts) }
}

/** Null where the list alone tells. */
export function mailOfNotice({ kind, ...facts }: Notice): MailContent | null {
  const { write, mail } = noticeKinds[kind] as NoticeKind<object>
  if (typeof mail === "function") return mail(facts)
  if (!mail) return null
  const { title: subject, text, facts: listed = [], action, note = "" } = write(facts)
  return { kind: "notice", subject, text, facts: listed, action, note }
}
