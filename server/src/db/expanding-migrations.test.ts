import { existsSync, readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"

const folder = fileURLToPath(new URL("../../database/migrations/", import.meta.url))

/**
 * A version that still runs reads and writes the schema next to the new one. What takes something away from it comes a
 * version later, in a file that says so: `-- contract: unused since 0.3.0`.
 */
const contracting = [
  /\bdrop\s+(table|column|view|type|function|trigger)\b/i,
  /\brename\s+(to|column|constraint)\b/i,
  /\balter\s+column\s+\S+\s+(set\s+not\s+null|(set\s+data\s+)?type)\b/i,
  /\badd\s+(column\s+)?(?!constraint\b)\w+\s+(?:(?!\bdefault\b|\bgenerated\b|,|;)[\s\S])*\bnot\s+null\b(?![^,;]*\b(default|generated)\b)/i,
]

function contractsIn(sql: string): boolean {
  return !/^-- contract: unused since \d+\.\d+\.\d+$/m.test(sql) && contracting.some((pattern) => pattern.test(sql))
}

test("each migration after the schema only adds, or says since when nobody uses what it takes away", () => {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".sql")) : []
  expect(names.filter((name) => contractsIn(readFileSync(folder + name, "utf8")))).toEqual([])
})

test.each([
  "alter table users drop column phone",
  "drop table mails;",
  "alter table users rename column phone to telephone",
  "alter table users alter column phone set not null",
  "alter table users alter column id type text",
  "alter table users add column nickname text not null",
])("planted: %s", (sql) => {
  expect(contractsIn(sql)).toBe(true)
  expect(contractsIn(`-- contract: unused since 0.3.0\n${sql}`)).toBe(false)
})

test.each([
  "create table notes (id uuid not null)",
  "alter table users add column nickname text",
  "alter table users add column is_new boolean not null default false",
  "alter table users add constraint users_have_names check (name <> '')",
])("an expansion: %s", (sql) => {
  expect(contractsIn(sql)).toBe(false)
})
