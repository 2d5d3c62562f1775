import { expect, test } from "vitest"
import { windowsBytes, windowsLetters } from "./letters.ts"

const toWindows = await windowsLetters()
const read = (bytes: Buffer) => new TextDecoder("windows-1252").decode(bytes)

test("all that Windows-1252 has is written as it is", () => {
  const all = read(Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)))
  const printable = [...all].filter((letter) => !/[\p{Cc}]/u.test(letter)).join("")
  expect(printable).toContain("“Família” – d’Ouro €".slice(0, 1))
  for (const letter of printable) {
    expect(toWindows(letter).trim()).toBe(letter.trim())
    expect(read(windowsBytes(letter))).toBe(letter)
  }
})

test.each([
  ["Plano Pró – “Família” d’Ouro €", "Plano Pró – “Família” d’Ouro €"],
  ["Łódź, București, ğ ő ș", "Lódz, Bucuresti, g o s"],
  ["A\u0301gua e açu\u0301car", "Água e açúcar"],
  ["Привет, Ωmega", "Privet, Omega"],
  ["Bolo 🎂 e café ☕️ 👩‍👩‍👧 🇧🇷!", "Bolo e café BR!"],
  ["🎉", ""],
  ["2−1 ≤ 2 → já ★", "2-1 <= 2 > já *"],
  ["a\u2011b\u202fc", "a-b c"],
])("%s is written %s", (typed, written) => {
  expect(toWindows(typed)).toBe(written)
  expect(read(windowsBytes(toWindows(typed)))).toBe(written)
  expect(toWindows(typed)).not.toContain("?")
})
