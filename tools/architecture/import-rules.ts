import { posix } from "node:path"
import { type Edge, findCycles } from "./cycles.ts"
import { checkFloorRules, floorOf, isReads, isRules, isTable, isWayIn } from "./floor-rules.ts"
import type { Import } from "./imports.ts"
import { isTest, type Violation } from "./source-tree.ts"

type Rule = { rule: string; forbids: (edge: Edge) => string | null }

/** Puts the parts together, and what an operator types: nobody imports it. */
const tops = ["start", "commands", "demo", "top"]
/** Below the floors, from top to bottom. Parts of one row don't know each other. */
const machinery = [["http", "jobs"], ["ledger", "psp", "events", "mail"], ["db"], ["kit"]]
const workspacesBelow: Record<string, string[]> = {
  contract: [],
  brcode: [],
  simulator: ["brcode", "contract"],
  web: ["contract"],
  client: [],
  examples: [],
  server: ["contract", "brcode", "simulator"],
}
const webAreas = ["auth", "seller", "admin", "checkout", "payment", "verify"]
const checkoutMayImport = ["checkout", "api", "ui", "format", "parts"]

const rules: Rule[] = [
  { rule: "arrows-point-down", forbids: againstTheArrows },
  { rule: "arrows-point-down", forbids: acrossWorkspaces },
  { rule: "tables-are-private", forbids: foreignTable },
  { rule: "rules-are-pure", forbids: impureRules },
  { rule: "routes-are-not-imported", forbids: importedRoutes },
  { rule: "floors-know-no-provider", forbids: providerOnAFloor },
  { rule: "routes-know-no-storage", forbids: storageInRoutes },
  { rule: "web-areas-stand-apart", forbids: acrossWebAreas },
]

export function checkImportRules(imports: Import[]): Violation[] {
  const edges = imports.flatMap(toEdge).filter(({ from }) => !isTest(from))
  const broken = edges.flatMap((edge) =>
    rules.flatMap(({ rule, forbids }) => {
      const message = forbids(edge)
      return message === null ? [] : [{ rule, file: edge.from, line: edge.line, message }]
    }),
  )
  return [
    ...broken,
    ...findCycles(edges),
    ...checkFloorRules(edges),
    ...checkImportStyle(imports),
    ...checkVocabulary(imports),
    ...checkFrontDoors(imports),
  ]
}

function toEdge({ from, target, line }: Import): Edge[] {
  return target.kind === "file" ? [{ from, to: target.path, line }] : []
}

function againstTheArrows({ from, to }: Edge): string | null {
  const upper = serverPart(from)
  const lower = serverPart(to)
  if (lower === null && to.startsWith("server/test-support/") && from.startsWith("server/src/")) {
    return `${from} imports what only tests may`
  }
  if (upper === null || lower === null || upper === lower) return null
  // The types of the parts that a start puts together.
  if (isWayIn(from) && to === "server/src/start/deps.ts") return null
  return rankOf(upper) < rankOf(lower) || (rankOf(upper) === 0 && rankOf(lower) === 0)
    ? null
    : `${upper} must not know ${lower}`
}

/** Null outside server/src; "floor" for the whole business; "top" for the files in server/src itself. */
function serverPart(path: string): string | null {
  if (floorOf(path) !== null) return "floor"
  const match = /^server\/src\/(?:([^/]+)\/)?/.exec(path)
  return match === null ? null : (match[1] ?? "top")
}

/** A folder that is missing from the map ranks below all, so that it may import nothing. */
function rankOf(part: string): number {
  if (tops.includes(part)) return 0
  if (part === "floor") return 1
  const row = machinery.findIndex((parts) => parts.includes(part))
  return row === -1 ? machinery.length + 2 : row + 2
}

function acrossWorkspaces({ from, to }: Edge): string | null {
  const [upper = ""] = from.split("/")
  const [lower = ""] = to.split("/")
  const allowed = workspacesBelow[upper]
  if (allowed === undefined || upper === lower || allowed.includes(lower)) return null
  return `${upper} must not know ${lower}`
}

/** The lists of what is forgotten, and when: they name the statements of all tables. */
const forgetting = ["server/src/start/retention.ts", "server/src/integrations/account-deletions/delete-account.ts"]

function foreignTable({ from, to }: Edge): string | null {
  if (forgetting.includes(from) || floorOf(to) === null || !isTable(to) || posix.dirname(from) === posix.dirname(to))
    return null
  return `${to} belongs to its folder: call a verb of it instead`
}

function impureRules({ from, to }: Edge): string | null {
  if (!isRules(from)) return null
  const isIo = isTable(to) || isReads(to) || /^server\/src\/(http|jobs|events|mail)\//.test(to)
  return isIo ? `rules decide without I/O: ${to} belongs to a verb` : null
}

function importedRoutes({ from, to }: Edge): string | null {
  if (!isWayIn(to) || isWayIn(from) || tops.includes(serverPart(from) ?? "")) return null
  return `only the start and other routes know ${to}`
}

function providerOnAFloor({ from, to }: Edge): string | null {
  if (floorOf(from) === null || !to.startsWith("server/src/psp/")) return null
  return to === "server/src/psp/psp.ts" ? null : "a floor knows psp/psp.ts, never a provider"
}

function storageInRoutes({ from, to }: Edge): string | null {
  const isRoutes = isWayIn(from) || from.startsWith("server/src/http/")
  const isStorage = to.startsWith("server/src/ledger/") || isTable(to)
  return isRoutes && isStorage ? `a route must not know ${to}: call a verb` : null
}

function acrossWebAreas({ from, to }: Edge): string | null {
  const upper = webPart(from)
  const lower = webPart(to)
  if (upper === null || lower === null || upper === lower) return null
  if (upper === "checkout" && !checkoutMayImport.includes(lower)) return `the checkout must not know ${lower}`
  if (webAreas.includes(lower) && upper !== "app") return `${upper} must not know ${lower}`
  return null
}

function webPart(path: string): string | null {
  return /^web\/src\/([^/]+)\//.exec(path)?.[1] ?? null
}

/** One way to write each import (same folder `./x.ts`, other folder `#part/x`), so that a move is a search. */
function checkImportStyle(imports: Import[]): Violation[] {
  return imports.flatMap(({ from, specifier, line, target }) => {
    if (target.kind !== "file" || !from.startsWith("server/src/") || !target.path.startsWith("server/src/")) return []
    const isSameFolder = posix.dirname(from) === posix.dirname(target.path)
    if (specifier.startsWith(isSameFolder ? "./" : "#")) return []
    const wanted = isSameFolder ? `./${posix.basename(target.path)}` : `#${target.path.slice(11).replace(/\.ts$/, "")}`
    return [{ rule: "import-style", file: from, line, message: `write '${wanted}' instead of '${specifier}'` }]
  })
}

function checkVocabulary(imports: Import[]): Violation[] {
  return imports.flatMap(({ from, specifier, line, target }) => {
    if (isTest(from) || !from.startsWith("contract/src/")) return []
    const isAllowed =
      target.kind === "package"
        ? target.name === "zod" && !from.startsWith("contract/src/vocabulary/")
        : target.kind === "file" && (!from.includes("/vocabulary/") || target.path.includes("/vocabulary/"))
    if (isAllowed) return []
    return [{ rule: "arrows-point-down", file: from, line, message: `the contract must not know '${specifier}'` }]
  })
}

const privateFolders = new Set(["lib", "dist", "src", "build", "internal", "cjs", "esm"])

/** A package promises its documented entries alone: a file inside its folders may be gone with the next patch. */
function checkFrontDoors(imports: Import[]): Violation[] {
  return imports.flatMap(({ from, specifier, line, target }) => {
    if (target.kind !== "package") return []
    const inside = specifier.slice(target.name.length).split("/")
    if (!inside.some((folder) => privateFolders.has(folder))) return []
    const message = `'${specifier}' is private to ${target.name}: import a documented entry`
    return [{ rule: "packages-by-the-front-door", file: from, line, message }]
  })
}
