import { tableOf } from "./sealed-rows-repository.ts"

/** A row's table and primary key, and for a posting its transaction. */
export function nameRow(key: string): string {
  const table = tableOf(key)
  const id = key.slice(2)
  if (table === null) return `linha desconhecida (${key})`
  if (table === "payments") return `payments end_to_end_id=${id} (transação payment ${id})`
  if (table !== "journal") return `${table} id=${id}`
  const [, kind, reference, line] = /^([^/]+)\/(.*)\/(\d+)$/s.exec(id) ?? []
  return `journal kind=${kind} reference=${reference} line=${line} (transação ${kind} ${reference})`
}
