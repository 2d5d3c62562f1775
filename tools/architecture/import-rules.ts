import { posix } from "node:path"
import { type Edge, findCycles } from "./cycles.ts"
import { drawerOf, isHttpFile, isTableFile } from "./drawers.ts"
import { checkFloorRules } from "./floor-rules.ts"
import type { Import } from "./imports.ts"
import { isTest, type Violation } from "./source-tree.ts"

type Rule = { rule: string; forbids: (edge: Edge) => string | null }

/** From top to bottom. Parts of one row don't know each other. */
const serverRows = [["http", "jobs", "demo"], ["domain"], ["ledger", "psp", "events", "mail"], ["db"], ["kit"]]
const workspacesBelow: Record<string, string[]> = {
  contract: [],
  brcode: [],
  simulator: ["brcode"],
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
  { rule: "repositories-are-private", forbids: foreignRepository },
  { rule: "domain-knows-no-provider", forbids: providerInDomain },
  { rule: "http-knows-no-storage", forbids: storageInHttp },
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
  return rowOf(upper) < rowOf(lower) ? null : `${upper} must not know ${lower}`
}

/** Null outside server/src; "top" for the files that wire the parts. */
function serverPart(path: string): string | null {
  if (drawerOf(path) !== null) return isHttpFile(path) ? "http" : "domain"
  const match = /^server\/src\/(?:([^/]+)\/)?/.exec(path)
  return match === null ? null : (match[1] ?? "top")
}

/** The wiring files rank above all rows; a folder missing from the rows ranks below, so that it may import nothing. */
function rowOf(part: string): number {
  if (part === "top") return -1
  const row = serverRows.findIndex((parts) => parts.includes(part))
  return row === -1 ? serverRows.length : row
}

function acrossWorkspaces({ from, to }: Edge): string | null {
  const [upper = ""] = from.split("/")
  const [lower = ""] = to.split("/")
  const allowed = workspacesBelow[upper]
  if (allowed === undefined || upper === lower || allowed.includes(lower)) return null
  return `${upper} must not know ${lower}`
}

function foreignRepository({ from, to }: Edge): string | null {
  if (!isTableFile(to) || posix.dirname(from) === posix.dirname(to)) return null
  return `${to} belongs to its folder: call a verb of it instead`
}

function providerInDomain({ from, to }: Edge): string | null {
  if (serverPart(from) !== "domain" || !to.startsWith("server/src/psp/")) return null
  return to === "server/src/psp/psp.ts" ? null : "the domain knows psp/psp.ts, never a provider"
}

function storageInHttp({ from, to }: Edge): string | null {
  if (!isHttpFile(from)) return null
  const isProvider = /^server\/src\/psp\/./.test(to) && to !== "server/src/psp/psp.ts"
  const isStorage = to.startsWith("server/src/ledger/") || isTableFile(to)
  return isProvider || isStorage ? `http must not know ${to}: call a verb of the domain` : null
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
