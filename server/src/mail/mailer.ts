export interface OutgoingMail {
  id: string
  to: string
  from: { name: string; address: string }
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
