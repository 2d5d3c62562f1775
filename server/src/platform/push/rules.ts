import type { Sealed } from "#kit/secrets"
import { type Notice, writeNotice } from "#platform/mails/notice"

export interface PushKey {
  /** An uncompressed point of P-256 in base64url. */
  publicKey: string
  sealed: Sealed
}

export interface PushSubscription {
  id: string
  userId: string
  endpoint: string
  allowsLocal: boolean
  p256dh: string
  auth: string
  device: string
  hideAmounts: boolean
  createdAt: Date
}

/** The message as the service worker shows it. */
export interface PushMessage {
  title: string
  body: string
  /** A path of this installation. */
  url: string
  /** A later message of the same tag stands in the place of this one. */
  tag: string
}

export function messageOf(
  notice: Notice,
  { userId, tag, hideAmounts }: { userId: string; tag: string; hideAmounts: boolean },
): PushMessage {
  const { title, text, action } = writeNotice(notice, userId)
  const shown = (line: string) => (hideAmounts ? withoutAmounts(line) : line)
  return { title: shown(title), body: shown(text), url: action.path, tag }
}

export const testMessage: PushMessage = {
  title: "Aviso de teste",
  body: "Os avisos chegam a este aparelho.",
  url: "/profile",
  tag: "test",
}

const amount = String.raw`[+−-]?R\$\s?[\d.]+,\d\d`
/** "Pago. Líquido: R$ 10,00.": what such a sentence says is its amount. */
const sentenceOfAmount = new RegExp(String.raw`(?<=\.) [^.:]+: ${amount}\.`, "g")
const anyAmount = new RegExp(`(?:[:,]| de)?\\s?${amount}`, "g")

function withoutAmounts(line: string): string {
  return line.replaceAll(sentenceOfAmount, "").replaceAll(anyAmount, "")
}
