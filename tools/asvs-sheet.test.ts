import { existsSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"

const sheet = readFileSync("docs/security/asvs.md", "utf8")
const rows = sheet
  .split("\n")
  .filter((line) => /^\| \d+\.\d+\.\d+ /.test(line))
  .map((line) => {
    const [, id = "", , state = "", what = "", kept = ""] = line.split("|").map((cell) => cell.trim())
    return { id, state, what, kept: [...kept.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path) }
  })

test("the sheet holds each of the 253 requirements once, with its state", () => {
  expect(new Set(rows.map(({ id }) => id)).size).toBe(253)
  expect(rows).toHaveLength(253)
  expect(rows.filter(({ state, what }) => !["met", "n/a", "**not met**"].includes(state) || what === "")).toEqual([])
})

test("what is met names what keeps it, and all that it names is there", () => {
  expect(rows.filter(({ state, kept }) => state === "met" && kept.length === 0)).toEqual([])
  expect(
    rows.flatMap(({ id, kept }) => kept.filter((path) => !existsSync(path)).map((path) => `${id} ${path}`)),
  ).toEqual([])
})

test("the summary counts the rows", () => {
  const apply = rows.filter(({ state }) => state !== "n/a").length
  const met = rows.filter(({ state }) => state === "met").length
  expect(sheet).toMatch(new RegExp(`\\| all +\\| +253 \\| +${apply} \\| +${met} \\|`))
})
