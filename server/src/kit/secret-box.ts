import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto"
import { invariant } from "./invariant.ts"
import { createRecentMap } from "./recent-map.ts"

/** A key of AES-256-GCM. Its id stands beside whatever it sealed, and tells nothing about it. */
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
