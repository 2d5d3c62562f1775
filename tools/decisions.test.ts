import { existsSync, globSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { readSourceTree } from "./architecture/source-tree.ts"
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

test("the index lists every number once: a decision by its title, date and status, or the page that holds it now", () => {
  const rows = [...read("README.md").matchAll(/^\| (\d+) +\| (.+?) +\| (.+?) +\| (.+?) +\|$/gm)]
  expect(rows.map(([, number]) => Number(number))).toEqual(Array.from({ length: rows.length }, (_, index) => index + 1))
  const listed = new Map(rows.map(([, number, ...cells]) => [Number(number), cells]))
  for (const name of files) {
    const [, title = "", date = ""] = /^# \d+\. (.+)\n\n\*\*Status\.\*\* \D+(\d{4}-\d{2}-\d{2})/.exec(read(name)) ?? []
    const [decision, status = "", day] = listed.get(numberOf(name)) ?? []
    expect([decision, day]).toEqual([`[${title}](${name})`, date])
    for (const [, later] of status.matchAll(/by (\d+)/g)) expect(read(name)).toContain(`by [${later}](`)
  }
  const moved = [...listed].filter(([number]) => !files.some((name) => numberOf(name) === number))
  const lost = moved.filter(([, cells]) => {
    const page = /^now in \[.+?\]\((.+?)\)$/.exec(cells[1] ?? "")?.[1]
    return page === undefined || !existsSync(join(folder, page))
  })
  // The number 18 was left out.
  expect(lost.map(([number]) => number)).toEqual([18])
})

test("whoever cites a decision names one that has a page of its own", () => {
  const documents = globSync(["*.md", "{brcode,docs,server,simulator,tools,web}/**/*.md"], { cwd: repositoryFolder })
  const texts = new Map(documents.map((path) => [path, readFileSync(join(repositoryFolder, path), "utf8")]))
  const there = new Set(files.map(numberOf))
  const unknown = [...texts, ...readSourceTree(repositoryFolder)].flatMap(([path, text]) => {
    const numbers = [...text.matchAll(/\bADR (\d+)\b/g)].map(([, number]) => Number(number))
    return numbers.filter((number) => !there.has(number)).map((number) => `${path}: ADR ${number}`)
  })
  expect(unknown).toEqual([])
})
