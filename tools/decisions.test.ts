import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { repositoryFolder } from "./run-tool.ts"

const folder = join(repositoryFolder, "docs/adr")
const files = readdirSync(folder).filter((name) => /^\d{4}-/.test(name))
const read = (name: string) => readFileSync(join(folder, name), "utf8")
const numberOf = (name: string) => Number(name.slice(0, 4))

test("every decision has its number and a status with a date", () => {
  expect(files.length).toBeGreaterThan(20)
  const status = /^# (\d+)\. .+\n\n\*\*Status\.\*\* (?:Accepted|Superseded by .+), \d{4}-\d{2}-\d{2}(?:; .+)?\.$/m
  expect(files.filter((name) => Number(status.exec(read(name))?.[1]) !== numberOf(name))).toEqual([])
})

test("the index lists every number once, with the decision's title, date and standing", () => {
  const rows = [...read("README.md").matchAll(/^\| (\d+) +\| (.+?) +\| (.+?) +\| (.+?) +\|$/gm)]
  expect(rows.map(([, number]) => Number(number))).toEqual(Array.from({ length: rows.length }, (_, index) => index + 1))
  const listed = new Map(rows.map(([, number, ...cells]) => [Number(number), cells]))
  for (const name of files) {
    const [, title = "", date = ""] = /^# \d+\. (.+)\n\n\*\*Status\.\*\* \D+(\d{4}-\d{2}-\d{2})/.exec(read(name)) ?? []
    const [decision, standing = "", day] = listed.get(numberOf(name)) ?? []
    expect([decision, day]).toEqual([`[${title}](${name})`, date])
    for (const [, later] of standing.matchAll(/by (\d+)/g)) expect(read(name)).toContain(`by [${later}](`)
  }
  expect(listed.size).toBe(files.length + 1)
})
