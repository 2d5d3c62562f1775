import { generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import {
  checkReceipt,
  type PublicJwk,
  type ReceiptFacts,
  receiptIn,
  receiptKeyId,
  signedReceipt,
  unsignedReceipt,
} from "@tilinta/contract/proofs/receipt-text"
import { array, constantFrom, date, integer, option, record, sample, string, stringMatching, tuple } from "fast-check"
import { expect, test } from "vitest"
import { testSizes } from "../../../test-support/test-sizes.ts"

interface Key {
  id: string
  jwk: PublicJwk
  privateKey: KeyObject
}

async function newKey(): Promise<Key> {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519")
  const { x = "" } = publicKey.export({ format: "jwk" })
  const id = await receiptKeyId(Uint8Array.from(Buffer.from(x, "base64url")))
  return { id, jwk: { kty: "OKP", crv: "Ed25519", x }, privateKey }
}

const keys = await Promise.all([newKey(), newKey()])

const jwks = () => keys.map(({ jwk }) => jwk)

function signWith({ id, privateKey }: Key, facts: ReceiptFacts): string {
  const unsigned = unsignedReceipt(id, facts)
  return signedReceipt(unsigned, sign(null, Buffer.from(unsigned), privateKey))
}

const anyFacts = record({
  amountCents: integer({ min: 1, max: 999_999_999 }),
  receiver: string({ unit: "grapheme", minLength: 1, maxLength: 60 }),
  paidAt: date({ min: new Date("2020-01-01"), max: new Date("2100-01-01"), noInvalidDate: true }),
  endToEndId: stringMatching(/^E\d{20}[A-Za-z0-9]{11}$/),
  payerDigits: option(stringMatching(/^(\d{6}|[\dA-Z]{12}\d\d)$/)),
  receiverDocument: option(stringMatching(/^\d{11}$|^[A-Z\d]{12}\d{2}$/)),
})

const alphabet = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.+/= \n\t\0é𝟙")

type Change = (text: string, at: number, character: string) => string

/** One change each. The last one is of bits that base64 alone would ignore. */
const changes: readonly Change[] = [
  (text, at, character) => text.slice(0, at) + character + text.slice(at + 1),
  (text, at, character) => text.slice(0, at) + character + text.slice(at),
  (text, at) => text.slice(0, at) + text.slice(at + 1),
  (text, at) => text.slice(0, at) + swapCase(text.charAt(at)) + text.slice(at + 1),
  (text, at) => text.slice(0, at),
  (text, at) => text.slice(0, at) + (text[at + 1] ?? "") + (text[at] ?? "") + text.slice(at + 2),
  (text, _at, character) => text + character,
  (text, _at, character) => character + text,
  (text, at) => text.slice(0, -1) + text.charAt(at),
]

function swapCase(letter: string): string {
  return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
}

test("each receipt that was signed is genuine and says what was signed; changed at one place it is not", async () => {
  const mutation = tuple(integer({ min: 0, max: changes.length - 1 }), integer({ min: 0 }), constantFrom(...alphabet))
  const runs = { numRuns: testSizes.receipts, ...(testSizes.receipts > 1_000 ? {} : { seed: 17 }) }
  const facts = sample(anyFacts, runs)
  const mutations = sample(mutation, runs)
  let refused = 0
  for (const [index, each] of facts.entries()) {
    const key = keys[index % keys.length] as Key
    const text = signWith(key, each)
    const checked = await checkReceipt(text, jwks())
    const paidAt = new Date(Math.floor(each.paidAt.getTime() / 1000) * 1000)
    expect(checked).toEqual({ verdict: "genuine", facts: { ...each, paidAt } })

    const [way = 0, where = 0, character = ""] = mutations[index] ?? []
    const changed = (changes[way] as Change)(text, where % text.length, character)
    if (changed === text) continue
    const verdict = (await checkReceipt(changed, jwks())).verdict
    expect({ changed, verdict }).toEqual({ changed, verdict: expect.not.stringMatching("genuine") })
    refused += 1
  }
  // Some changes put the same character back.
  expect(refused).toBeGreaterThan(testSizes.receipts * 0.8)
}, 300_000)

test("every character of one receipt counts, down to the bits of the last one that no byte needs", async () => {
  const text = signWith(keys[0], sample(anyFacts, { numRuns: 1, seed: 4 })[0] as ReceiptFacts)
  const others = Array.from(
    text,
    (character, at) => text.slice(0, at) + (character === "A" ? "B" : "A") + text.slice(at + 1),
  )
  const lastOnes = alphabet.map((character) => text.slice(0, -1) + character).filter((each) => each !== text)
  for (const changed of [...others, ...lastOnes]) {
    const { verdict } = await checkReceipt(changed, jwks())
    expect({ changed, isGenuine: verdict === "genuine" }).toEqual({ changed, isGenuine: false })
  }
})

test("facts and signature of two receipts don't go together, and another key's signature is none", async () => {
  const [one, other] = sample(anyFacts, { numRuns: 2, seed: 5 }).map((facts) => signWith(keys[0], facts))
  const [head, keyId, facts] = (one ?? "").split(".")
  const mixed = [head, keyId, facts, (other ?? "").split(".")[3]].join(".")
  expect(await checkReceipt(mixed, jwks())).toEqual({ verdict: "forged" })
  expect(await checkReceipt(one ?? "", [keys[1].jwk])).toEqual({ verdict: "unknown_key" })
  const stranger = await newKey()
  const claimed = signWith(
    { ...stranger, id: keys[0].id },
    sample(anyFacts, { numRuns: 1, seed: 6 })[0] as ReceiptFacts,
  )
  expect(await checkReceipt(claimed, jwks())).toEqual({ verdict: "forged" })
})

test("whatever else is pasted is forged, and nothing of it is read as a receipt", async () => {
  const units = array(integer({ min: 0, max: 0xff_ff }), { maxLength: 40 })
  const texts = sample(units, { numRuns: 200, seed: 7 }).map((codes) => `TLR1.${String.fromCharCode(...codes)}`)
  for (const text of [
    ...texts,
    "",
    "TLR1",
    "TLR1...",
    `TLR1.${"0".repeat(16)}.${"A".repeat(900_000)}.${"A".repeat(86)}`,
    "\ud800",
  ]) {
    expect(await checkReceipt(text, jwks())).toEqual({ verdict: "forged" })
  }
})

test("a receipt is found in its link and in a message, and a bare one is taken as it is", () => {
  const text = "TLR1.0123456789abcdef.WzFd.QUJD"
  for (const pasted of [
    text,
    ` ${text}\n`,
    `https://pagar.example/verificar#${text}`,
    `https://x.example/verificar?r=${text}&b=1`,
  ]) {
    expect(receiptIn(pasted)).toBe(text)
  }
  expect(receiptIn(`Recibo de R$ 1,00. Confira: https://x.example/verificar#${text} obrigado`)).toBe(text)
  expect(receiptIn(`x${text}`)).toBe(`x${text}`)
})
