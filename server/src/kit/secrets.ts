import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  randomBytes,
  timingSafeEqual,
} from "node:crypto"
import { crc32 } from "node:zlib"
import { createRecentMap } from "./caches.ts"
import { invariant } from "./errors.ts"
import { randomAlphanumeric } from "./ids.ts"
import type { Protection } from "./request-scope.ts"

/** A key of AES-256-GCM. Its id stands next to whatever it sealed, and tells nothing about it. */
interface SecretKey {
  id: string
  key: Buffer
}

/** The first one seals, all of them open. */
export type SecretKeys = () => readonly [SecretKey, ...SecretKey[]]

export interface Sealed {
  keyId: string
  box: Buffer
}

const cipher = "aes-256-gcm"
const nonceBytes = 12
const tagBytes = 16
const MOST_OPENED = 10_000

/** The context (which row, of whom) is authenticated too: a box that is copied into another row doesn't open. */
export function sealSecret(keys: SecretKeys, secret: string, context: string): Sealed {
  const [{ id, key }] = keys()
  const nonce = randomBytes(nonceBytes)
  const sealing = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(context))
  const sealed = Buffer.concat([sealing.update(secret, "utf8"), sealing.final()])
  return { keyId: id, box: Buffer.concat([nonce, sealed, sealing.getAuthTag()]) }
}

export function openSecret(keys: SecretKeys, { keyId, box }: Sealed, context: string): string {
  const known = keys().find(({ id }) => id === keyId)
  invariant(known !== undefined, `a secret was sealed with the key ${keyId}, which SECRETS_KEY doesn't hold`)
  const opening = createDecipheriv(cipher, known.key, box.subarray(0, nonceBytes), { authTagLength: tagBytes })
  opening.setAAD(Buffer.from(context)).setAuthTag(box.subarray(-tagBytes))
  return opening.update(box.subarray(nonceBytes, -tagBytes), undefined, "utf8") + opening.final("utf8")
}

/** Opens each box once, as long as it is used; another secret has another box. */
export function createSecretReader(keys: SecretKeys): (sealed: Sealed, context: string) => string {
  const opened = createRecentMap<string, string>(MOST_OPENED)
  return (sealed, context) => {
    const name = `${context} ${sealed.box.toString("latin1")}`
    const secret = opened.get(name) ?? openSecret(keys, sealed, context)
    opened.set(name, secret)
    return secret
  }
}

/** 32 bytes in base64, as written into a file or variable. */
export function newSecretKeyText(): string {
  return randomBytes(32).toString("base64")
}

/** Keys separated by commas or line ends; null unless each is 32 bytes in base64 and there is at least one. */
export function parseSecretKeys(text: string): readonly [SecretKey, ...SecretKey[]] | null {
  const texts = text.split(/[\s,]+/).filter((part) => part !== "")
  if (!texts.every((part) => /^[\w+/-]{43}=?$/.test(part))) return null
  const [first, ...others] = texts.map(keyOf)
  return first === undefined ? null : [first, ...others]
}

function keyOf(text: string): SecretKey {
  const key = Buffer.from(text, "base64")
  return { id: createHash("sha256").update("key id:").update(key).digest("hex").slice(0, 12), key }
}

/** A 256-bit bearer secret: its holder is let in, so only its hash is stored. */
export function newToken(): string {
  return randomBytes(32).toString("base64url")
}

/** The token of a session that only looks: its prefix tells so, before anything is read. */
export function newViewToken(): string {
  return viewPrefix + newToken()
}

export function isViewToken(text: string): boolean {
  return text.startsWith(viewPrefix) && isToken(text.slice(viewPrefix.length))
}

const viewPrefix = "ver_"

export function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

export function hashOfToken(token: string): Buffer {
  return createHash("sha256").update(token).digest()
}

/** Takes constant time for values of equal length; the length of ours is no secret. */
export function isSameSecret(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

const secretLength = 40
const checksumLength = 6
const shape = new RegExp(`^tk_(live|test)_[0-9A-Za-z]{${secretLength + checksumLength}}$`)

/** 238 random bits behind a prefix that secret scanners know, and a checksum that tells a key from look-alikes. */
export function newApiKey(money: "live" | "test"): string {
  const body = `tk_${money}_${randomAlphanumeric(secretLength)}`
  return body + checksumOf(body)
}

/** A mistyped or invented key is recognised without the database. */
export function isApiKey(text: string): boolean {
  return shape.test(text) && text.endsWith(checksumOf(text.slice(0, -checksumLength)))
}

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** CRC-32 of the text in six base-62 digits. */
function checksumOf(text: string): string {
  let rest = crc32(text)
  let digits = ""
  while (digits.length < checksumLength) {
    digits = alphabet.charAt(rest % alphabet.length) + digits
    rest = Math.floor(rest / alphabet.length)
  }
  return digits
}

/** Enough for the owner to recognise the key, and nothing that helps to guess it. */
export function hintOfApiKey(key: string): string {
  return `${key.slice(0, "tk_live_".length)}…${key.slice(-4)}`
}

/** Secrets of payers, one for each charge: who holds it sees that payment's status and proof, and nothing else. */
export interface PayerTokens {
  of(chargeId: string): string
  /** Strict protection asks for the token; relaxed does without, and refuses a wrong one as well. */
  admits(chargeId: string, sent: unknown): boolean
}

const bytes = 16
/** The last letter counts with two bits only: where the others are zero, a token has one spelling. */
const payerToken = /^[\w-]{21}[AQgw]$/

/** The tokens are computed, not stored: a poll needs no lookup for them. */
export function createPayerTokens(key: Buffer, protection: Protection): PayerTokens {
  // Node makes a key object of a buffer at each call, which costs six times what the digest does.
  const secret = createSecretKey(key)
  const digestOf = (chargeId: string): Buffer =>
    createHmac("sha256", secret).update(chargeId).digest().subarray(0, bytes)

  return {
    of: (chargeId) => digestOf(chargeId).toString("base64url"),
    admits(chargeId, sent) {
      if (sent === undefined) return protection === "relaxed"
      if (typeof sent !== "string" || !payerToken.test(sent)) return false
      const given = Buffer.from(sent, "base64url")
      return timingSafeEqual(given, digestOf(chargeId))
    },
  }
}
