import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { holdReasons, waitReasonLabels, withdrawalWaits } from "@tilinta/contract/vocabulary/withdrawals"
import { expect, test } from "vitest"
import { listFiles } from "./architecture/source-tree.ts"
import { repositoryFolder } from "./run-tool.ts"

const documents = listFiles(repositoryFolder).filter((file) => file.endsWith(".md"))

test("every link of a document to the repository leads to a file", () => {
  expect(documents.length).toBeGreaterThan(30)
  const broken = documents.flatMap((document) => {
    const targets = [...read(document).matchAll(/\]\((?!https?:)([^)#\s]+)/g)].flatMap(([, target = ""]) => target)
    return targets
      .filter((target) => !existsSync(join(repositoryFolder, dirname(document), target)))
      .map((target) => `${document}: ${target}`)
  })
  expect(broken).toEqual([])
})

test("every link to a heading leads to one", () => {
  const broken = documents.flatMap((document) => {
    const links = [...read(document).matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)]
    return links
      .filter(([, file = "", anchor = ""]) => {
        const target = file === "" ? document : join(dirname(document), file)
        return target.endsWith(".md") && !anchorsOf(read(target)).has(anchor)
      })
      .map(([link]) => `${document}: ${link}`)
  })
  expect(broken).toEqual([])
})

test("docs/operations-reference.md explains each reason for which a withdrawal waits", () => {
  const [, section = ""] = read("docs/operations-reference.md").split("## Why a withdrawal waits")
  const [reasons = ""] = section.split("\n## ")
  expect([...holdReasons, ...withdrawalWaits].filter((reason) => !reasons.includes(`\`${reason}\``))).toEqual([])
  expect(Object.values(waitReasonLabels).filter((label) => !reasons.includes(label))).toEqual([])
})

function read(document: string): string {
  return readFileSync(join(repositoryFolder, document), "utf8")
}

/** As GitHub makes them of headings. */
function anchorsOf(text: string): Set<string> {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading)
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
        .replaceAll(" ", "-"),
    ),
  )
}
