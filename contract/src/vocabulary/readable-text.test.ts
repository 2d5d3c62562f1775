import { describe, expect, test } from "vitest"
import { hasVisible, isReadableLine, isReadableText } from "./payer-data.ts"

describe("a line that people read", () => {
  test.each([
    "Mentoria de Vendas",
    "Açaí & cia. – 2 kg (R$ 10)",
    "João d'Ávila",
    "Joa\u0303o",
    "李小龙",
    "محمد",
    "👩‍🍳 Marmitas",
    "👨‍👩‍👧‍👦 Família",
    "👍🏽 ok",
    "❤️ 1️⃣ ☎️",
    "👩🏾‍❤️‍💋‍👨🏻",
    "🏳️‍🌈 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🇧🇷",
  ])("may be %j", (text) => {
    expect([isReadableLine(text), hasVisible(text)]).toEqual([true, true])
  })

  test.each([
    ["a zero-width space", "Ana\u200bSouza"],
    ["a zero-width joiner between letters", "Ana\u200dSouza"],
    ["a zero-width non-joiner", "Ana\u200cSouza"],
    ["a word joiner", "Ana\u2060"],
    ["a byte order mark", "A\ufeffna"],
    ["a soft hyphen", "A\u00adna"],
    ["a right-to-left override", "gpj.\u202eexe"],
    ["a left-to-right mark", "Ana\u200e"],
    ["an isolate", "\u2066Ana\u2069"],
    ["an Arabic letter mark", "Ana\u061c"],
    ["a bell", "Ana\u0007"],
    ["an escape", "\u001b[31mAna"],
    ["a delete", "Ana\u007f"],
    ["a C1 control", "Ana\u0085"],
    ["a line break", "Ana\nSouza"],
    ["a tab", "Ana\tSouza"],
    ["a line separator", "Ana\u2028Souza"],
    ["a Hangul filler", "Ana\u3164"],
    ["a grapheme joiner", "Ana\u034f"],
    ["tags without a flag", "Ana\u{e0041}\u{e007f}"],
    ["a variation selector after a letter", "Ana\ufe0f"],
    ["a joiner after the last emoji", "👩\u200d"],
  ])("may not have %s", (_name, text) => {
    expect(isReadableLine(text)).toBe(false)
  })

  test("text of several lines may have line breaks and tabs, and nothing else that is unseen", () => {
    expect(isReadableText("um\r\ndois\n\ttrês")).toBe(true)
    expect(isReadableText("um\n\u202edois")).toBe(false)
    expect(isReadableText("um\u0000")).toBe(false)
  })
})

test.each(["", "   ", "\u200b", "\u2800", "\u3164", "\u00a0\u2003", "\u0301", "\u200d\u200d", "\ufe0f", "\u115f"])(
  "%j shows nothing",
  (text) => {
    expect(hasVisible(text)).toBe(false)
  },
)
