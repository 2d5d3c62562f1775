import { createTransport } from "nodemailer"
import type { Delivery, Mailer, OutgoingMail } from "./mailer.ts"

const timeoutMs = { connect: 10_000, greeting: 10_000, silence: 20_000 }

/** Without the transport's own retries, which could send again what the server had already accepted. */
export function createSmtpMailer(smtpUrl: string): Mailer {
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 5,
    maxRequeues: 0,
    connectionTimeout: timeoutMs.connect,
    dnsTimeout: timeoutMs.connect,
    greetingTimeout: timeoutMs.greeting,
    socketTimeout: timeoutMs.silence,
    disableFileAccess: true,
    disableUrlAccess: true,
  })

  async function sendOne({ id, to, from, subject, text, html }: OutgoingMail): Promise<Delivery> {
    try {
      await transport.sendMail({
        messageId: `<${id}@${from.address.split("@").at(-1)}>`,
        from,
        to: { name: "", address: to },
        subject,
        text,
        html,
        headers: { "Auto-Submitted": "auto-generated" },
      })
      return { isSent: true }
    } catch (error) {
      return failedDelivery(error)
    }
  }

  return {
    send: (mails) => Promise.all(mails.map(sendOne)),
    stop: async () => transport.close(),
  }
}

/** Only an address refused for good is final: a wrong password or sender will be corrected. */
function failedDelivery(error: unknown): Delivery {
  const { code, command, responseCode } = error as { code?: string; command?: string; responseCode?: number }
  const isRefused = command === "RCPT TO" && responseCode !== undefined && responseCode >= 500
  return {
    isSent: false,
    problem: [code ?? "unknown", command, responseCode].filter((part) => part !== undefined).join(" "),
    isFinal: isRefused,
  }
}
