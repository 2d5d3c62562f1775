import { posix } from "node:path"
import { type Edge, findCycles } from "./cycles.ts"
import type { Violation } from "./source-tree.ts"

/** From top to bottom: a noun may import its own floor and those below. */
const floors = ["integrations", "overviews", "bank", "money", "selling", "people", "platform"]

/** The nouns of this floor are one subject (what became of a payment), so they may know each other both ways. */
const floorOfOneSubject = "money"

/** Serves HTTP: stands above all floors, because a page or a reply may show what several nouns know. */
export const isWayIn = (path: string): boolean =>
  floorOf(path) !== null && /^(.+-)?(routes|views|pages)\.ts$/.test(posix.basename(path))

/** Holds every statement that writes the noun's tables. */
export const isTable = (path: string): boolean => /(^|[/-])table\.ts$/.test(path)

/** Holds queries that change nothing. */
export const isReads = (path: string): boolean => /(^|[/-])reads\.ts$/.test(path)

export const isRules = (path: string): boolean => /(^|[/-])rules\.ts$/.test(path) && floorOf(path) !== null

/** The floor on which a file of the business stands; null outside of it. */
export function floorOf(path: string): string | null {
  const floor = /^server\/src\/([^/]+)\/[^/]+\/[^/]+$/.exec(path)?.[1] ?? ""
  return floors.includes(floor) ? floor : null
}

export function checkFloorRules(edges: Edge[]): Violation[] {
  const between = edges.filter(
    ({ from, to }) => floorOf(from) !== null && floorOf(to) !== null && nounOf(from) !== nounOf(to) && !isWayIn(from),
  )
  const upward = between.filter(({ from, to }) => rankOf(from) > rankOf(to))
  return [
    ...upward.map(({ from, to, line }) => ({
      rule: "floors-point-down",
      file: from,
      line,
      message: `${nounOf(from)} must not know ${nounOf(to)}`,
    })),
    ...circlesOfNouns(between.filter(({ from, to }) => rankOf(from) <= rankOf(to))),
  ]
}

/** Nouns in a circle can't be read one after the other, even where no two files know each other. */
function circlesOfNouns(between: Edge[]): Violation[] {
  const files = new Map(between.map((edge) => [`${nounOf(edge.from)} ${nounOf(edge.to)}`, edge] as const))
  const arrows = [...files].flatMap(([arrow, { from, to, line }]) => {
    const [upper = "", lower = ""] = arrow.split(" ")
    return floorOf(from) === floorOfOneSubject && floorOf(to) === floorOfOneSubject
      ? []
      : [{ from: upper, to: lower, line }]
  })
  return findCycles(arrows).map(({ file, line, message }) => ({
    rule: "nouns-form-no-circle",
    file: files.get(`${file} ${message.split(" → ").at(-1) ?? ""}`)?.from ?? file,
    line,
    message,
  }))
}

function nounOf(path: string): string {
  return posix.dirname(path).slice("server/src/".length)
}

function rankOf(path: string): number {
  return floors.indexOf(floorOf(path) ?? "")
}
