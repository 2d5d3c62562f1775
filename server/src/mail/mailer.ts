export interface OutgoingMail {
  id: string
  to: string
  from: { name: string; address: string }
  /** Answers of the recipient go to the support. */
  replyTo: string
  /** Answers a GET with a page, and a POST by ending mails of this kind (RFC 8058). */
  unsubscribeUrl?: string
  subject: string
  text: string
  html: string
}

/** `problem` holds no personal data; a final one is not retried. */
export type Delivery = { isSent: true } | { isSent: false; problem: string; isFinal: boolean }

export interface Mailer {
  /** Returns each mail's delivery, in the order of the mails. */
  send(mails: OutgoingMail[]): Promise<Delivery[]>
  stop(): Promise<void>
}
