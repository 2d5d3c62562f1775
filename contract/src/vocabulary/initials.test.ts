import { expect, test } from "vitest"
import { initialsOf } from "./initials.ts"

test.each([
  ["Ana Souza Mentorias", "AS"],
  ["João da Silva", "JS"],
  ["padaria", "P"],
  ["– 🍰 Doces & Cia", "DC"],
  ["", ""],
])("the initials of '%s' are '%s'", (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})
