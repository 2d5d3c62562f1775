import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"

/** Path from the repository's folder → text. */
export type SourceTree = ReadonlyMap<string, string>

export interface Violation {
  rule: string
  file: string
  line: number
  message: string
}

/** Reads the files that Git tracks or would add, so that no list of folders can leave one out. */
export function readSourceTree(root: string): SourceTree {
  const output = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root })
  const paths = output
    .toString("utf8")
    .split("\0")
    .filter((path) => isSource(path) || isSqlFile(path))
  return new Map(paths.flatMap((path) => readText(join(root, path)).map((text) => [path, text] as const)))
}

export function isSource(path: string): boolean {
  return /\.[cm]?tsx?$/.test(path) && !/\.d\.[cm]?ts$/.test(path)
}

export function isSqlFile(path: string): boolean {
  return path.endsWith(".sql")
}

export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || /^(e2e|bench)\//.test(path) || /(^|\/)(test-support|crash-tests)\//.test(path)
}

export function describeViolation({ rule, file, line, message }: Violation): string {
  return `${file}:${line} [${rule}] ${message}`
}

/** Empty for a deleted file that is still in the index. */
function readText(path: string): string[] {
  try {
    return [readFileSync(path, "utf8")]
  } catch {
    return []
  }
}
