import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { listFiles } from "./architecture/source-tree.ts"
import { repositoryFolder } from "./run-tool.ts"

const documents = listFiles(repositoryFolder).filter((file) => file.endsWith(".md"))

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
