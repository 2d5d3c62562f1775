import { documentText } from "../vocabulary/typed-data.ts"

/** A receipt says these. docs/receipts.md describes its signed text. */
export interface ReceiptFacts {
  amountCents: number
  /** The shop's name when it was paid; without a shop the receiver's when the receipt was made. */
  receiver: string
  /** The shop's CPF or CNPJ when it was paid; null without one. */
  receiverDocument: string | null
  /** To the second. */
  paidAt: Date
  endToEndId: string
  /** The six digits in the middle of the payer's CPF, or a company's CNPJ; null where it was left out. */
  payerDigits: string | null
}

export type CheckedReceipt =
  | { verdict: "genuine"; facts: ReceiptFacts }
  | { verdict: "forged" }
  /** Well formed, and signed with a key that isn't among the given ones. */
  | { verdict: "unknown_key" }

/** An Ed25519 key as RFC 8037 writes it. */
export interface PublicJwk {
  kty: "OKP"
  crv: "Ed25519"
  x: string
}

const prefix = "TLR1"
/** The longest has no more: whatever is longer is none, and need not be read. */
const mostCharacters = 2_000
const shape = /^TLR1\.([\da-f]{16})\.([\w-]+)\.([\w-]{86})$/

/** Everything before the signature, which signs exactly these characters. */
export function unsignedReceipt(keyId: string, facts: ReceiptFacts): string {
  const { amountCents, receiver, paidAt, endToEndId, payerDigits, receiverDocument } = facts
  const listed = [amountCents, receiver, Math.floor(paidAt.getTime() / 1000), endToEndId, payerDigits ?? ""]
  // Receipts without it, and those of before, end here.
  if (receiverDocument !== null) listed.push(receiverDocument)
  return `${prefix}.${keyId}.${toBase64Url(new TextEncoder().encode(JSON.stringify(listed)))}`
}

export function signedReceipt(unsigned: string, signature: Uint8Array): string {
  return `${unsigned}.${toBase64Url(signature)}`
}

/** Believes the keys alone. One receipt has one spelling: any other character, also a space around it, makes it forged. */
export async function checkReceipt(text: string, keys: readonly PublicJwk[]): Promise<CheckedReceipt> {
  const fields = text.length > mostCharacters ? null : shape.exec(text)
  if (fields === null) return { verdict: "forged" }
  const [, keyId = "", factsText = "", signatureText = ""] = fields
  const signature = fromBase64Url(signatureText)
  const factsBytes = fromBase64Url(factsText)
  if (signature === null || factsBytes === null) return { verdict: "forged" }
  const key = await findKey(keys, keyId)
  if (key === null) return { verdict: "unknown_key" }
  const signed = new TextEncoder().encode(text.slice(0, text.lastIndexOf(".")))
  const isGenuine = await crypto.subtle.verify("Ed25519", key, signature, signed)
  const facts = isGenuine ? readFacts(factsBytes) : null
  return facts === null ? { verdict: "forged" } : { verdict: "genuine", facts }
}

/** A key's id is computed from the key, so that no list can say that another key has it. */
async function findKey(keys: readonly PublicJwk[], keyId: string) {
  for (const { kty, crv, x } of keys) {
    const bytes = kty === "OKP" && crv === "Ed25519" ? fromBase64Url(x) : null
    if (bytes === null || bytes.length !== 32 || (await receiptKeyId(bytes)) !== keyId) continue
    return crypto.subtle.importKey("raw", bytes, "Ed25519", false, ["verify"])
  }
  return null
}

export async function receiptKeyId(publicKey: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", publicKey))
  return Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("")
}

/** Null where our own key signed something else. */
function readFacts(bytes: Uint8Array<ArrayBuffer>): ReceiptFacts | null {
  try {
    const listed: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes))
    if (!Array.isArray(listed) || (listed.length !== 5 && listed.length !== 6)) return null
    const [amountCents, receiver, seconds, endToEndId, payerDigits, receiverDocument = null] = listed as unknown[]
    if (!Number.isSafeInteger(amountCents) || !Number.isSafeInteger(seconds)) return null
    if (typeof receiver !== "string" || typeof endToEndId !== "string" || typeof payerDigits !== "string") return null
    if (listed.length === 6 && (typeof receiverDocument !== "string" || receiverDocument === "")) return null
    const paidAt = new Date((seconds as number) * 1000)
    if (Number.isNaN(paidAt.getTime())) return null
    return {
      amountCents: amountCents as number,
      receiver,
      receiverDocument: receiverDocument as string | null,
      paidAt,
      endToEndId,
      payerDigits: payerDigits === "" ? null : payerDigits,
    }
  } catch {
    return null
  }
}

function toBase64Url(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")
  return btoa(binary)
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/={1,2}$/, "")
}

/** Null unless this is the one spelling of the bytes: the last character may have unused bits, which must be zero. */
function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return null
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"))
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
  return toBase64Url(bytes) === text ? bytes : null
}

/** The part of the payer's document that a receipt holds; null for whatever is none. A company's is public, and stays whole. */
export function payerDigitsOf({ cpf, cnpj }: { cpf: string | null; cnpj: string | null }): string | null {
  return cpf !== null && /^\d{11}$/.test(cpf) ? cpf.slice(3, 9) : cnpj
}

/** As people read it. */
export function payerDocumentOf(digits: string | null): { payerCpf: string | null; payerCnpj: string | null } {
  if (digits === null) return { payerCpf: null, payerCnpj: null }
  if (digits.length === 6) return { payerCpf: `***.${digits.slice(0, 3)}.${digits.slice(3)}-**`, payerCnpj: null }
  return { payerCpf: null, payerCnpj: documentText(digits) }
}

/** The receipt in what somebody pasted, scanned or opened: itself, or the end of its link. Nothing inside it is mended. */
export function receiptIn(pasted: string): string {
  return /[#?&](?:r=)?(TLR1\.[^\s&#]*)/.exec(pasted)?.[1] ?? pasted.trim()
}
