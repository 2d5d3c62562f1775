import { randomBytes } from "node:crypto"
import { expect, test } from "vitest"
import { newId } from "./ids.ts"
import { createPayerTokens } from "./secrets.ts"

const key = randomBytes(32)
const strict = createPayerTokens(key, "strict")
const relaxed = createPayerTokens(key, "relaxed")

test("each charge has a token of 128 bits of its own, the same on every node, and another with another key", () => {
  const id = newId()
  const token = strict.of(id)
  expect(token).toMatch(/^[\w-]{22}$/)
  expect(Buffer.from(token, "base64url")).toHaveLength(16)
  expect(relaxed.of(id)).toBe(token)
  expect(strict.of(newId())).not.toBe(token)
  expect(createPayerTokens(randomBytes(32), "strict").of(id)).not.toBe(token)
})

test("a token has one spelling: other letters for the same bytes are refused", () => {
  const id = newId()
  const token = strict.of(id)
  const bytes = Buffer.from(token, "base64url")
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
  const same = Array.from(letters)
    .map((letter) => token.slice(0, 21) + letter)
    .filter((spelling) => Buffer.from(spelling, "base64url").equals(bytes))
  expect(same).toHaveLength(16)
  const others = [...same, `${token}==`, ` ${token}`, `${token}\n`, token.replace(/.$/, "$&=")].filter(
    (text) => text !== token,
  )
  for (const tokens of [strict, relaxed]) {
    expect(tokens.admits(id, token)).toBe(true)
    expect(others.filter((spelling) => tokens.admits(id, spelling))).toEqual([])
  }
})

test("strict admits the charge's own token alone; relaxed does without one, and refuses a wrong one", () => {
  const [id, other] = [newId(), newId()]
  const token = strict.of(id)
  const wrong = [strict.of(other), "", "x", `${token}x`, token.slice(1), [token], `${token.slice(0, 21)}!`, null, 7]
  for (const tokens of [strict, relaxed]) {
    expect(tokens.admits(id, token)).toBe(true)
    for (const sent of wrong) expect([sent, tokens.admits(id, sent)]).toEqual([sent, false])
  }
  expect([strict.admits(id, undefined), relaxed.admits(id, undefined)]).toEqual([false, true])
})
