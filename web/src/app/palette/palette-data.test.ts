import { expect, test } from "vitest"
import { matchingEntries } from "./palette-data.ts"

const entry = (label: string, words?: string) => ({
  id: label,
  icon: "home" as const,
  label,
  act: () => undefined,
  ...(words !== undefined && { words }),
})
const entries = [entry("Usuários"), entry("Nova cobrança", "criar página pix"), entry("Sair", "logout")]
const found = (typed: string) => matchingEntries(entries, typed).map(({ label }) => label)

test("words are found without accents, in any order, and beside the label", () => {
  expect(found("usuarios")).toEqual(["Usuários"])
  expect(found("pix criar")).toEqual(["Nova cobrança"])
  expect(found(" LOGOUT ")).toEqual(["Sair"])
  expect(found("criar sair")).toEqual([])
  expect(found("")).toHaveLength(3)
})
