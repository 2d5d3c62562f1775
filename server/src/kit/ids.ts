import { randomFillSync } from "node:crypto"
import { v5, v7 } from "uuid"

const randomPool = Buffer.alloc(4096)
let usedOfPool = randomPool.length
let latest = { msecs: 0, seq: 0 }

/** Opaque, time-ordered, unguessable: new rows land next to each other in the indexes. */
export function newId(): string {
  const random = randomBytes(16)
  const msecs = Date.now()
  latest = msecs > latest.msecs ? { msecs, seq: random.readInt32BE(6) & 0x7fffffff } : after(latest)
  return v7({ ...latest, random })
}

/** Ids of one millisecond, or after the clock was set back, stay in the order of their creation. */
function after({ msecs, seq }: typeof latest): typeof latest {
  return seq === 0x7fffffff ? { msecs: msecs + 1, seq: 0 } : { msecs, seq: seq + 1 }
}

/** Random bytes are fetched in bulk: one call per id takes longer than all the rest. */
function randomBytes(count: number): Buffer {
  if (usedOfPool + count > randomPool.length) {
    randomFillSync(randomPool)
    usedOfPool = 0
  }
  usedOfPool += count
  return randomPool.subarray(usedOfPool - count, usedOfPool)
}

/** 96 random bits in 16 characters, for what is named a thousand times a second. */
export function newShortId(): string {
  return randomBytes(12).toString("base64url")
}

const namespaceOfTexts = "6b7a5d0e-2c1f-4b6e-9a53-0d8f3e1c7a42"

/** A stable id for a text; no `newId` ever equals one. */
export function idOfText(text: string): string {
  return v5(text, namespaceOfTexts)
}

const idPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

export function isId(value: string): boolean {
  return idPattern.test(value)
}

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** Uniform over 62 characters: bytes that would favour the first ones are discarded. */
export function randomAlphanumeric(length: number): string {
  let text = ""
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += alphabet[byte % 62]
    }
  }
  return text
}

/** 32 alphanumerics: nine of time, so that they sort by age, and 23 random ones (137 bits). */
export function newTxid(now: Date): string {
  return now.getTime().toString(36).padStart(9, "0") + randomAlphanumeric(23)
}

/** Names a charge with a due day: whoever reads it knows which part of a bank's API keeps it. */
export function newDueTxid(now: Date): string {
  return `v${newTxid(now).slice(0, 31)}`
}

export function isDueTxid(txid: string | null): boolean {
  return txid !== null && /^v0[0-9a-z]{8}[0-9A-Za-z]{22}$/.test(txid)
}

/** Names the debit of a cycle, whose receipts find no charge until one came. */
export function newDebitTxid(now: Date): string {
  return `d${newTxid(now).slice(0, 31)}`
}

export function isDebitTxid(txid: string | null): txid is string {
  return txid !== null && /^d0[0-9a-z]{8}[0-9A-Za-z]{22}$/.test(txid)
}

/** When one of these functions made it; null for a txid of another make. */
export function momentOfTxid(txid: string): Date | null {
  const [, moment] = /^[vd]?(0[0-9a-z]{8})/.exec(txid) ?? []
  return moment === undefined ? null : new Date(Number.parseInt(moment, 36))
}

/** Always contains an upper-case letter, so that no slug can ever equal one. */
export function newUniqueLink(): string {
  for (;;) {
    const link = randomAlphanumeric(16)
    if (/[A-Z]/.test(link)) return link
  }
}
