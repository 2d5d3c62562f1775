export interface OutgoingMail {
  id: string
  to: string
  from: { name: string; address: string }
  subject: string
  text: string
  html: string
}

/** `problem` holds no personal data; a final one is not worth another try. */
export type Delivery = { isSent: true } | { isSent: false; problem: string; isFinal: boolean }

export interface Mailer {
  /** Answers, in the order of the mails, what became of each. */
  send(mails: OutgoingMail[]): Promise<Delivery[]>
  stop(): Promise<void>
}
