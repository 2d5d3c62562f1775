import { readFileSync } from "node:fs"
import { join } from "node:path"
import { isTest, listFiles } from "./architecture/source-tree.ts"
import { repositoryFolder } from "./run-tool.ts"

/**
 * How large the house is: `npm run size [folder]`, where the folder may be another checkout to compare with. Product is what
 * runs: TypeScript, styles and scripts of the workspaces without their tests, and the schema's SQL.
 */
const [folder = repositoryFolder] = process.argv.slice(2)
const lines = (path: string) => readFileSync(join(folder, path), "utf8").split("\n").length - 1
const all = listFiles(folder)
const code = all.filter(
  (path) =>
    /^(server|web|contract|simulator|client|brcode)\/src\/.*\.(ts|tsx|css|js)$/.test(path) &&
    !isTest(path) &&
    !path.includes("/fraud-plans/"),
)
const sql = all.filter((path) => /^server\/database\/.*\.sql$/.test(path))
const lengths = code.map(lines).sort((a, b) => a - b)
const total = (paths: readonly string[]) => paths.reduce((sum, path) => sum + lines(path), 0)
const isText = (path: string) => !/\.(png|woff2|ico|gz|br)$/.test(path)
/** The files of a noun, wherever they stand, in the old layout and in this one. */
const filesOf = (pattern: RegExp) => code.filter((path) => path.startsWith("server/") && pattern.test(path)).length

console.table({
  "product files": code.length,
  "median lines of a file": lengths[lengths.length >> 1] ?? 0,
  "files of at most 20 lines": lengths.filter((count) => count <= 20).length,
  "files of more than 300 lines": lengths.filter((count) => count > 300).length,
  "product lines of TypeScript, styles and SQL": total([...code, ...sql]),
  "of them written by a tool (server/src/db/schema.ts)": total(
    code.filter((path) => path === "server/src/db/schema.ts"),
  ),
  "files of withdrawals (server)": filesOf(/\/money\/withdrawals\/|\/http\/.*withdrawal-(routes|view)\.ts/),
  "files of users (server)": filesOf(/\/people\/users\/|\/http\/.*(users?-(routes|view)|auth-routes)\.ts/),
  "lines of all files": total(all.filter(isText)),
})
