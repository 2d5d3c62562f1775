import { crc32 } from "node:zlib"
import { randomAlphanumeric } from "./ids.ts"

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
