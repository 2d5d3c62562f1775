import { createTransport } from "nodemailer"
import { isLoopback } from "#kit/outside"
import type { Delivery, Mailer, OutgoingMail } from "./mailer.ts"

const timeoutMs = { connect: 10_000, greeting: 10_000, silence: 20_000 }

interface Options {
  /** Never sends in clear text, except to this machine: an attacker on the way could hide the server's STARTTLS. */
  insistsOnTls: boolean
}

/** Without the transport's own retries, which could send again what the server had already accepted. */
export function createSmtpMailer(smtpUrl: string, options: Options): Mailer {
  const transport = openTransport(smtpUrl, options)

  async function sendOne({
    id,
    to,
    from,
    replyTo,
    unsubscribeUrl,
    subject,
    text,
    html,
  }: OutgoingMail): Promise<Delivery> {
    try {
      await transport.sendMail({
        messageId: `<${id}@${from.address.split("@").at(-1)}>`,
        from,
        ...(replyTo !== from.address && { replyTo: { name: "", address: replyTo } }),
        to: { name: "", address: to },
        subject,
        text,
        html,
        headers: {
          "Auto-Submitted": "auto-generated",
          ...(unsubscribeUrl !== undefined && {
            "List-Unsubscribe": `<${unsubscribeUrl}>`,
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
          }),
        },
      })
      return { isSent: true }
    } catch (error) {
      return failedDelivery(error)
    }
  }

  return { send: (mails) => Promise.all(mails.map(sendOne)), stop: async () => transport.close() }
}

/** Null when the server takes the connection and the password; no mail is sent. */
export async function checkSmtp(smtpUrl: string, options: Options): Promise<string | null> {
  const transport = openTransport(smtpUrl, options)
  try {
    await transport.verify()
    return null
  } catch (error) {
    return problemOf(error)
  } finally {
    transport.close()
  }
}

function openTransport(smtpUrl: string, { insistsOnTls }: Options) {
  const needsTls = insistsOnTls && !isOnThisMachine(smtpUrl)
  return createTransport({
    url: needsTls ? withoutExceptions(smtpUrl) : smtpUrl,
    ...(needsTls && { requireTLS: true, ignoreTLS: false }),
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
}

function isOnThisMachine(smtpUrl: string): boolean {
  const { hostname } = new URL(smtpUrl)
  return hostname === "localhost" || isLoopback(hostname.replace(/^\[|\]$/g, ""))
}

/** The address may carry options of the transport, which would win over ours. */
function withoutExceptions(smtpUrl: string): string {
  const url = new URL(smtpUrl)
  for (const name of ["secure", "requireTLS", "ignoreTLS", "opportunisticTLS"]) url.searchParams.delete(name)
  return url.href
}

/** Only an address refused for good is final: a wrong password or sender will be corrected. */
function failedDelivery(error: unknown): Delivery {
  const { command, responseCode } = error as SmtpFailure
  const isRefused = command === "RCPT TO" && responseCode !== undefined && responseCode >= 500
  return { isSent: false, problem: problemOf(error), isFinal: isRefused }
}

interface SmtpFailure {
  code?: string
  command?: string
  responseCode?: number
}

function problemOf(error: unknown): string {
  const { code, command, responseCode } = error as SmtpFailure
  return [code ?? "unknown", command, responseCode].filter((part) => part !== undefined).join(" ")
}
