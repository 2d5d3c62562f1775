import type { Readable } from "node:stream"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { type ExportDeps, startExport } from "#domain/platform/audit/start-export"
import { withdrawalsForAdmin } from "./withdrawal-exports-repository.ts"
import type { WithdrawalFilter } from "./withdrawal-lists-repository.ts"

export function exportAllWithdrawals(deps: ExportDeps, filter: WithdrawalFilter, actor: Actor): Promise<Readable> {
  const rows = withdrawalsForAdmin(filter)
  return startExport(deps, { action: "withdrawals.exported", audience: "admin", actor, filter, rows })
}
