import type { Readable } from "node:stream"
import type { Actor } from "#domain/audit/audit-entry"
import { type ExportDeps, startExport } from "#domain/exports/start-export"
import { chargesForSeller } from "./charge-exports-repository.ts"
import type { ChargeFilter } from "./charge-lists-repository.ts"

export function exportSellersCharges(deps: ExportDeps, filter: ChargeFilter, actor: Actor): Promise<Readable> {
  const rows = chargesForSeller(filter, deps.clock.now())
  return startExport(deps, { action: "charges.exported", audience: "seller", actor, filter, rows })
}
