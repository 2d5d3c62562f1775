import { expect, test } from "vitest"
import { initialsOf } from "./initials.ts"

test("first and last name, however many stand between", () => {
  expect(initialsOf("Ana Clara Souza")).toBe("AS")
  expect(initialsOf("ana")).toBe("A")
  expect(initialsOf("  ")).toBe("")
})
