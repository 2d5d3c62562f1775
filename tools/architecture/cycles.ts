import type { Violation } from "./source-tree.ts"

export interface Edge {
  from: string
  to: string
  line: number
}

/** Reports each cycle once, at the edge that closes it. */
export function findCycles(edges: Edge[]): Violation[] {
  const leaving = Map.groupBy(edges, (edge) => edge.from)
  const visited = new Map<string, "open" | "done">()
  const violations: Violation[] = []

  const visit = (file: string, path: string[]) => {
    visited.set(file, "open")
    for (const { to, line } of leaving.get(file) ?? []) {
      if (visited.get(to) === "open") {
        const cycle = [...path.slice(path.indexOf(to)), to].join(" → ")
        violations.push({ rule: "no-cycles", file, line, message: cycle })
      } else if (!visited.has(to)) {
        visit(to, [...path, to])
      }
    }
    visited.set(file, "done")
  }
  for (const file of leaving.keys()) if (!visited.has(file)) visit(file, [file])
  return violations
}
