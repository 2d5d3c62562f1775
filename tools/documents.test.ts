import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { waitReasonLabels } from "@tilinta/contract/vocabulary/withdrawal-holds"
import { expect, test } from "vitest"
import { repositoryFolder } from "./run-tool.ts"

const documents = execFileSync("git", ["ls-files", "*.md"], { cwd: repositoryFolder })
  .toString("utf8")
  .trim()
  .split("\n")

test("every link of a document to the repository leads to a file", () => {
  expect(documents.length).toBeGreaterThan(30)
  const broken = documents.flatMap((document) => {
    const text = readFileSync(join(repositoryFolder, document), "utf8")
    const targets = [...text.matchAll(/\]\((?!https?:)([^)#\s]+)/g)].flatMap(([, target = ""]) => target)
    return targets
      .filter((target) => !existsSync(join(repositoryFolder, dirname(document), target)))
      .map((target) => `${document}: ${target}`)
  })
  expect(broken).toEqual([])
})

test("the operator's document explains every reason for which a withdrawal waits", () => {
  const text = readFileSync(join(repositoryFolder, "docs/operations.md"), "utf8")
  expect(Object.values(waitReasonLabels).filter((label) => !text.includes(`| ${label} |`))).toEqual([])
})
