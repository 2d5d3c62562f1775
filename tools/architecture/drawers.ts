const floors = ["platform", "people", "selling", "money", "bank", "overviews", "integrations"]

/** The folder `server/src/<floor>/<noun>`, whose files have fixed roles; null for a path outside of one. */
export function drawerOf(path: string): { noun: string; role: string } | null {
  const [, floor = "", noun = "", role = ""] = /^server\/src\/([^/]+)\/([^/]+)\/([^/]+)\.ts$/.exec(path) ?? []
  return floors.includes(floor) ? { noun, role } : null
}

/** `routes.ts`, `admin-routes.ts`, `views.ts`: they speak HTTP, and nothing but HTTP may know them. */
export function isHttpFile(path: string): boolean {
  return path.startsWith("server/src/http/") || /(^|-)(routes|views)$/.test(drawerOf(path)?.role ?? "")
}

/** Every statement that writes a noun's tables: its own folder alone may import it. */
export function isTableFile(path: string): boolean {
  return path.endsWith("-repository.ts") || drawerOf(path)?.role === "table"
}

/** SQL stands in the tables and reads of a noun; a role may have two files, as `reads.ts` and `admin-reads.ts`. */
export function mayHoldSql(path: string): boolean {
  return isTableFile(path) || /(^|-)reads$/.test(drawerOf(path)?.role ?? "")
}
