import { existsSync, globSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"

/**
 * Ends `npm ci`: removes a quarter of what packages bring, which nothing here reads. Node's C headers, native parts for
 * other systems, source maps, the sources beside what was built of them, and on a server the types.
 */
const folders =
  /^(node-[a-z0-9-]+\/(include|share)|bare-[a-z]+\/prebuilds|.*-wasm32-wasi|axe-core\/locales|playwright-core\/lib\/vite)$/
/** Folders beside a package.json that are for those who work on the package. */
const workshops =
  /^(@[^/]+\/)?[^@/][^/]*\/(tests?|docs|examples?|benchmarks?|coverage|\.yarn|\.github|src\/(benchmark|__tests__))$/
const files =
  /(\.map|\.standalone\.js|(?<!\.d)\.[cm]?tsx?|\.d\.cts|\.flow|\.a|(CHANGELOG|README)\.md)$|^@opentelemetry\/semantic-conventions\/.*\/(experimental_|index-incubating)|^@redocly\/config\/.*\.d\.ts$|^react-dom\/cjs\/.*-profiling|^dejavu-fonts-ttf\/(?!ttf\/DejaVuSansCondensed\.ttf$|LICENSE$|package\.json$)/
const types = /\.d\.[cm]?ts$/

const repository = join(import.meta.dirname, "..")
const hasCompiler = existsSync(join(repository, "node_modules/typescript"))
for (const packages of globSync(["node_modules", "*/node_modules"], { cwd: repository })) {
  trim(join(repository, packages), "")
}

/** `inside` is the path from the nearest node_modules. Links lead to our own sources and are not followed. */
function trim(packages: string, inside: string): void {
  for (const entry of readdirSync(join(packages, inside), { withFileTypes: true })) {
    const path = inside + entry.name
    if (entry.name === "node_modules") trim(join(packages, path), "")
    else if (entry.isDirectory() && !folders.test(path) && !workshops.test(path)) trim(packages, `${path}/`)
    else if (entry.isDirectory() || (entry.isFile() && isUnread(path)))
      rmSync(join(packages, path), { recursive: true })
  }
}

function isUnread(path: string): boolean {
  return files.test(path) || (!hasCompiler && types.test(path))
}
