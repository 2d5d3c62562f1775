import { existsSync, readdirSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"

const sheet = readFileSync("docs/security/asvs.md", "utf8")
const rows = sheet
  .split("\n")
  .filter((line) => /^\| \d+\.\d+\.\d+[ ,]/.test(line))
  .flatMap((line) => {
    const [, ids = "", , state = "", what = "", places = ""] = line.split("|").map((cell) => cell.trim())
    const kept = [...places.matchAll(/`([^`]+)`(?: “([^”]+)”)?/g)].map(([, path = "", words]) => ({ path, words }))
    return ids.split(", ").map((id) => ({ id, state, what, kept }))
  })

test("the sheet holds each of the 253 requirements once, with its state", () => {
  expect(new Set(rows.map(({ id }) => id)).size).toBe(253)
  expect(rows).toHaveLength(253)
  expect(rows.filter(({ state, what }) => !["met", "n/a", "**not met**"].includes(state) || what === "")).toEqual([])
})

test("what is met names what keeps it, and all that it names is there", () => {
  expect(rows.filter(({ state, kept }) => state === "met" && kept.length === 0)).toEqual([])
  expect(
    rows.flatMap(({ id, kept }) => kept.filter(({ path }) => !existsSync(path)).map(({ path }) => `${id} ${path}`)),
  ).toEqual([])
})

test("words that are quoted of a file, as a test's title or a heading, stand there", () => {
  const named = rows.flatMap(({ id, kept }) => kept.map((place) => ({ id, ...place })))
  const quoted = named.flatMap(({ id, path, words }) => (words === undefined ? [] : [{ id, path, words }]))
  expect(quoted.length).toBeGreaterThan(40)
  const isGone = ({ path, words }: { path: string; words: string }) =>
    !readFileSync(path, "utf8").replaceAll(/\s+/g, " ").includes(words)
  expect(quoted.filter(isGone)).toEqual([])
})

test("what documents alone keep is quoted, so that an empty promise shows", () => {
  const silent = rows.filter(
    ({ state, kept }) =>
      state === "met" && kept.every(({ path, words }) => path.endsWith(".md") && words === undefined),
  )
  expect(silent).toEqual([])
})

test("the summary counts the rows", () => {
  const apply = rows.filter(({ state }) => state !== "n/a").length
  const met = rows.filter(({ state }) => state === "met").length
  expect(sheet).toMatch(new RegExp(`\\| all +\\| +253 \\| +${apply} \\| +${met} \\|`))
})

test("the list of keys names each table that holds one", () => {
  const folder = "server/database/schema"
  const schema = readdirSync(folder).map((file) => readFileSync(`${folder}/${file}`, "utf8"))
  const tables = schema.flatMap((text) => [...text.matchAll(/^create table (\w+) \(\n([\s\S]*?)^\)/gm)])
  const holdsKey = /^ {2}(?:sealed_(?:key|secret)|(?:public_)?key) bytea/m
  const holders = tables.flatMap(([, name = "", columns = ""]) => (holdsKey.test(columns) ? [name] : []))
  expect(holders).toContain("signing_keys")
  const list = readFileSync("docs/security/foundations.md", "utf8")
  expect(holders.filter((name) => !list.includes(`\`${name}\``))).toEqual([])
})
