import { expect, test } from "vitest"
import { matchesUser } from "./users-data.ts"

const ana = { name: "Ana Conceição", email: "ana@loja.example", cpf: "52998224725" }

test.each(["conceicao", " ANA ", "loja.EX", "529.982", "52998224725"])("%j finds a person", (typed) => {
  expect(matchesUser(ana, typed)).toBe(true)
})

test.each(["bia", "529.983", "."])("%j finds somebody else", (typed) => {
  expect(matchesUser({ ...ana, email: "" }, typed)).toBe(false)
})

test("an empty search hides nobody", () => {
  expect(matchesUser(ana, "  ")).toBe(true)
})
