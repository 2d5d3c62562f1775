import type { Readable } from "node:stream"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { type ExportDeps, startExport } from "#domain/platform/audit/start-export"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import type { Day } from "#kit/sao-paulo-day"
import { differencesForExport } from "./close-exports-repository.ts"
import { findClose } from "./daily-closes-repository.ts"

/** All differences of one day. */
export async function exportDifferences(
  deps: ExportDeps,
  id: string,
  actor: Actor,
): Promise<{ day: Day; content: Readable }> {
  const close = isId(id) ? await findClose(deps.db, id) : null
  if (close === null) throw new DomainError("daily_close_not_found")
  const filter = { day: close.day, provider: close.provider }
  const rows = differencesForExport(id)
  const wish = { action: "differences.exported", audience: "admin", actor, filter, rows } as const
  return { day: close.day, content: await startExport(deps, wish) }
}
