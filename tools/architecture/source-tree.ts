import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** Path from the repository's folder → text. */
export type SourceTree = ReadonlyMap<string, string>

export interface Violation {
  rule: string
  file: string
  line: number
  message: string
}

/** The table of words that names and comments don't have. */
export const glossary = "docs/glossary.md"

/** Reads every source below the folder, so that no list of folders can leave one out, and the glossary. */
export function readSourceTree(root: string): SourceTree {
  const paths = listFiles(root).filter((path) => isSource(path) || isSqlFile(path) || path === glossary)
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]))
}

/** The files that Git tracks or would add, sorted, also in an unpacked archive and where no Git is installed. */
export function listFiles(root: string): string[] {
  const ignored = readFileSync(join(root, ".gitignore"), "utf8").split("\n").filter(Boolean).map(ignoring)
  const list = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = `${folder}${entry.name}`
      const isFolder = entry.isDirectory()
      if (entry.name === ".git" || ignored.some((ignores) => ignores(isFolder ? `${path}/` : path))) return []
      if (isFolder) return list(`${path}/`)
      return entry.isFile() ? [path] : []
    })
  return list("").sort()
}

/** A pattern without a slash but at its end holds in every folder; one that ends with a slash is a folder's. */
function ignoring(pattern: string): (path: string) => boolean {
  const isRooted = pattern.slice(0, -1).includes("/")
  const text = pattern.replace(/^\//, "").replaceAll(".", "\\.").replaceAll("*", "[^/]*")
  const expression = new RegExp(`${isRooted ? "^" : "(^|/)"}${text}${pattern.endsWith("/") ? "" : "/?"}$`)
  return (path) => expression.test(path)
}

export function isSource(path: string): boolean {
  return /\.[cm]?tsx?$/.test(path) && !/\.d\.[cm]?ts$/.test(path)
}

export function isSqlFile(path: string): boolean {
  return path.endsWith(".sql")
}

export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || /^(e2e|lab)\//.test(path) || /(^|\/)test-support\//.test(path)
}

export function describeViolation({ rule, file, line, message }: Violation): string {
  return `${file}:${line} [${rule}] ${message}`
}
