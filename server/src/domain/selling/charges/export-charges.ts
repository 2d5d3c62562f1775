import type { Readable } from "node:stream"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { type ExportDeps, startExport } from "#domain/platform/audit/start-export"
import { chargesForAdmin, chargesForSeller } from "./charge-exports-repository.ts"
import type { ChargeFilter } from "./charge-lists-repository.ts"
import { findPage, type SellersFilter } from "./list-charges.ts"

/** The rows that the list finds by the same filter. */
export async function exportSellersCharges(deps: ExportDeps, filter: SellersFilter, actor: Actor): Promise<Readable> {
  const page = await findPage(deps.db, filter)
  const found: ChargeFilter = page === null ? { ...filter, statuses: [] } : { ...filter, page }
  const rows = chargesForSeller(found, deps.clock.now())
  return startExport(deps, { action: "charges.exported", audience: "seller", actor, filter, rows })
}

/** Charges of all sellers, for admins. */
export function exportAllCharges(deps: ExportDeps, filter: ChargeFilter, actor: Actor): Promise<Readable> {
  const rows = chargesForAdmin(filter, deps.clock.now())
  return startExport(deps, { action: "charges.exported", audience: "admin", actor, filter, rows })
}
