import { randomBytes } from "node:crypto"
import { expect, test } from "vitest"
import { newSecretKeyText, openSecret, parseSecretKeys, type SecretKeys, sealSecret } from "./secrets.ts"

function keysOf(...texts: string[]): SecretKeys {
  const keys = parseSecretKeys(texts.join())
  if (keys === null) throw new Error("no keys")
  return () => keys
}

const [old, fresh] = [newSecretKeyText(), newSecretKeyText()]

test("what was sealed opens with the same key and context, and is sealed differently each time", () => {
  const keys = keysOf(old)
  const sealed = sealSecret(keys, "segredo é ção", "totp:1")
  expect(openSecret(keys, sealed, "totp:1")).toBe("segredo é ção")
  expect(sealed.box.toString("utf8")).not.toContain("segredo")
  expect(sealSecret(keys, "segredo é ção", "totp:1").box).not.toEqual(sealed.box)
})

test("a box of another row doesn't open", () => {
  const keys = keysOf(old)
  expect(() => openSecret(keys, sealSecret(keys, "a", "totp:1"), "totp:2")).toThrow(/authenticate/)
})

test("a box that was changed anywhere doesn't open", () => {
  const keys = keysOf(old)
  const sealed = sealSecret(keys, "segredo", "totp:1")
  for (const at of sealed.box.keys()) {
    const box = Buffer.from(sealed.box)
    box.writeUInt8(box.readUInt8(at) ^ 1, at)
    expect(() => openSecret(keys, { ...sealed, box }, "totp:1")).toThrow(/authenticate/)
  }
})

test("a box without its whole tag doesn't open", () => {
  const keys = keysOf(old)
  const sealed = sealSecret(keys, "segredo", "totp:1")
  expect(() => openSecret(keys, { ...sealed, box: sealed.box.subarray(0, -12) }, "totp:1")).toThrow(/authenticate/)
})

test("after a rotation the first key seals and the old one still opens; alone the new one names what is missing", () => {
  const sealed = sealSecret(keysOf(old), "segredo", "totp:1")
  expect(openSecret(keysOf(fresh, old), sealed, "totp:1")).toBe("segredo")
  expect(sealSecret(keysOf(fresh, old), "x", "totp:1").keyId).toBe(keysOf(fresh)()[0].id)
  expect(() => openSecret(keysOf(fresh), sealed, "totp:1")).toThrow(/SECRETS_KEY/)
})

test("keys are 32 bytes in base64, either alphabet, separated by commas or lines", () => {
  const bytes = randomBytes(32)
  const ids = parseSecretKeys(`${bytes.toString("base64")},\n${bytes.toString("base64url")}`)?.map(({ id }) => id)
  expect(ids).toEqual([ids?.[0], ids?.[0]])
  for (const bad of ["", " ", "x", randomBytes(31).toString("base64"), `${old},x`])
    expect(parseSecretKeys(bad)).toBe(null)
})
