import { parseEmail } from "@tilinta/contract/vocabulary/typed-data"
import { escapeHtml } from "#kit/html"

export interface OutgoingMail {
  id: string
  to: string
  from: { name: string; address: string }
  /** Answers of the recipient go to the support, or to the shop that the mail is about. */
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

export interface Letter {
  subject: string
  /** The shop for whose payers it is: it stands as the sender, and answers go to its e-mail, if it has one. */
  shop?: { name: string; email: string } | undefined
  /** The recipient's name, for the greeting; empty where it must not be told. */
  name: string
  paragraphs: string[]
  facts?: { label: string; value: string }[]
  action?: { label: string; url: string }
  /** Page on which the recipient says that what the mail reports was not them, and stops it. */
  notMeUrl?: string
  /** Small print below everything else. */
  note?: string
  /** Page on which the recipient ends mails of this kind. */
  unsubscribe?: { label: string; url: string }
}

interface Platform {
  name: string
  supportEmail: string
}

interface LaidOut {
  subject: string
  text: string
  html: string
}

/** One layout for every mail, as HTML and plain text. It loads nothing external. */
export function layOutMail(letter: Letter, platform: Platform): LaidOut {
  return { subject: oneLine(letter.subject), text: plainText(letter, platform), html: html(letter, platform) }
}

/** The sender of a mail, and the address that answers reach. A name is one line without control characters, whatever it was. */
export function envelopeOf({ shop }: Pick<Letter, "shop">, platform: Platform): { name: string; replyTo: string } {
  if (shop === undefined) return { name: platform.name, replyTo: platform.supportEmail }
  const name = oneLine(`${shop.name} via ${platform.name}`.replaceAll(/\p{Cc}/gu, " "))
  return { name, replyTo: parseEmail(shop.email) ?? platform.supportEmail }
}

function greeting(name: string): string {
  return name === "" ? "Olá." : `Olá, ${oneLine(name)}.`
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim()
}

function plainText(
  { shop, name, paragraphs, facts = [], action, notMeUrl, note, unsubscribe }: Letter,
  platform: Platform,
): string {
  const envelope = envelopeOf({ shop }, platform)
  const blocks = [
    greeting(name),
    ...paragraphs,
    facts.map(({ label, value }) => `${label}: ${oneLine(value)}`).join("\n"),
    action === undefined ? "" : `${action.label}:\n${action.url}`,
    notMeUrl === undefined ? "" : `${notMeText}\n${notMeUrl}`,
    note ?? "",
    `--\n${envelope.name}\nDúvidas? Escreva para ${envelope.replyTo}`,
    unsubscribe === undefined ? "" : `Não quer mais receber estes e-mails?\n${unsubscribe.url}`,
  ]
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`
}

const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

/** Tables and inline styles, because mail programs support little else. */
function html(
  { subject, shop, name, paragraphs, facts = [], action, notMeUrl, note, unsubscribe }: Letter,
  platform: Platform,
): string {
  const envelope = envelopeOf({ shop }, platform)
  const [brand, sender] = [escapeHtml(oneLine(shop?.name ?? platform.name)), escapeHtml(envelope.name)]
  const support = escapeHtml(envelope.replyTo)
  return `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light">
<title>${escapeHtml(oneLine(subject))}</title>
</head>
<body style="margin:0;padding:0;background:#eef3f2">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#eef3f2">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px">
<tr><td style="padding:0 4px 16px;${font};font-size:20px;font-weight:700;color:#0b2b26">${brand}</td></tr>
<tr><td style="padding:28px 24px;background:#ffffff;border:1px solid #d9e4e2;border-radius:12px;${font};font-size:16px;line-height:1.55;color:#16211f">
<h1 style="margin:0 0 20px;font-size:22px;line-height:1.3;color:#0b2b26">${unbroken(oneLine(subject))}</h1>
${[greeting(name), ...paragraphs].map(paragraph).join("\n")}
${factTable(facts)}${action === undefined ? "" : button(action)}${notMeUrl === undefined ? "" : notMeButton(notMeUrl)}${note === undefined ? "" : smallPrint(note)}
</td></tr>
<tr><td style="padding:20px 4px;${font};font-size:13px;line-height:1.5;color:#4f615d">Enviado por ${sender}. Dúvidas? Escreva para <a href="mailto:${support}" style="color:#0a6b57">${support}</a>.${unsubscribe === undefined ? "" : unsubscribeLink(unsubscribe)}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}

/** An amount stays on one line. A function gives the replacement, in which "$&" would stand for what was found. */
function unbroken(text: string): string {
  return escapeHtml(text).replaceAll("R$ ", () => "R$&nbsp;")
}

function paragraph(text: string): string {
  return `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`
}

function factTable(facts: { label: string; value: string }[]): string {
  if (facts.length === 0) return ""
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:4px 0 20px;font-size:15px">${facts.map(factRow).join("")}</table>\n`
}

/** A word too long for a phone's half line, as an address or a bank's id, stands below its label. */
const longWord = /\S{14}/

function factRow({ label, value }: { label: string; value: string }): string {
  const cell = "border-top:1px solid #e3ebe9"
  const [term, text] = [escapeHtml(label), escapeHtml(value)]
  if (longWord.test(value)) {
    return `<tr><td colspan="2" style="padding:10px 0;${cell};color:#4f615d">${term}<br><span style="color:#16211f;font-weight:600;overflow-wrap:anywhere">${text}</span></td></tr>`
  }
  return `<tr><td valign="top" style="padding:10px 0;${cell};color:#4f615d;white-space:nowrap">${term}</td><td align="right" valign="top" style="padding:10px 0 10px 16px;${cell};font-weight:600;overflow-wrap:anywhere">${text}</td></tr>`
}

function button({ label, url }: { label: string; url: string }): string {
  const href = escapeHtml(url)
  return `<p style="margin:24px 0"><a href="${href}" style="display:inline-block;padding:14px 24px;background:#0a7a63;color:#ffffff;border-radius:8px;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>
<p style="margin:0 0 16px;font-size:13px;color:#4f615d">Se o botão não funcionar, copie este endereço no navegador:<br><span style="word-break:break-all">${href}</span></p>
`
}

const notMeText = "Não foi você? Por este link você para tudo de uma vez, sem precisar entrar na conta:"

function notMeButton(url: string): string {
  const href = escapeHtml(url)
  return `<p style="margin:24px 0 8px">${notMeText}</p>
<p style="margin:0 0 16px"><a href="${href}" style="display:inline-block;padding:12px 22px;border:2px solid #b3261e;color:#b3261e;border-radius:8px;font-weight:600;text-decoration:none">Não fui eu</a></p>
<p style="margin:0 0 16px;font-size:13px;color:#4f615d;word-break:break-all">${href}</p>
`
}

function unsubscribeLink({ label, url }: { label: string; url: string }): string {
  return `<br><a href="${escapeHtml(url)}" style="color:#0a6b57">${escapeHtml(label)}</a>`
}

function smallPrint(text: string): string {
  return `<p style="margin:16px 0 0;font-size:14px;color:#4f615d">${escapeHtml(text)}</p>`
}
