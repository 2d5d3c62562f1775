import { existsSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { expect, test } from "vitest"
import { readSourceTree } from "./architecture/source-tree.ts"
import { repositoryFolder } from "./run-tool.ts"

/** Folders that the text leaves out where a path is plain without them. */
const roots = ["", "server/", "server/src/", "web/src/", "tools/architecture/"]

test("every file and folder that ARCHITECTURE.md names is there", () => {
  const text = readFileSync(join(repositoryFolder, "ARCHITECTURE.md"), "utf8")
  const named = [...text.matchAll(/`([\w./-]+)`|\]\(([\w./-]+)\)/g)].flatMap(([, code, link]) => link ?? code ?? [])
  const paths = named.filter((name) => /\/|-rules$|\.(ts|md|json)$/.test(name) && !name.startsWith("./"))
  expect(paths.length).toBeGreaterThan(40)
  expect(paths.filter((path) => !isThere(path))).toEqual([])
})

const fileNames = new Set([...readSourceTree(repositoryFolder).keys()].map((path) => posix.basename(path)))

function isThere(path: string): boolean {
  if (fileNames.has(path)) return true
  return roots.some((root) =>
    ["", ".ts"].some((ending) => existsSync(join(repositoryFolder, `${root}${path}${ending}`))),
  )
}
