import type { MailContent } from "#domain/platform/mails/mail-content"

export interface NoticeText {
  /** One line, which is also the mail's subject. */
  title: string
  text: string
  facts?: { label: string; value: string }[]
  /** The screen that shows more, on our own site. */
  action: { label: string; path: string }
  /** Advice to a reader who didn't do it. */
  note?: string
}

/** How a kind of notice reads, and whether a mail goes, too. */
export interface NoticeKind<Facts extends object> {
  /** A warning asks its reader to make sure that it was them. */
  tone: "info" | "warning"
  write(facts: Facts): NoticeText
  /** `true` mails the notice's own text; a function gives a letter that exists apart, or none. */
  mail: boolean | ((facts: Facts) => MailContent | null)
}

/** Names the facts of a kind, which its text is written from. Moments are ISO 8601, amounts centavos. */
export function noticeKind<Facts extends object>(kind: NoticeKind<Facts>): NoticeKind<Facts> {
  return kind
}
