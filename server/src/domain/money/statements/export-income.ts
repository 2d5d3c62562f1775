import { Readable } from "node:stream"
import type { ReportsDb } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { type ExportDeps, startFile } from "#domain/platform/audit/start-export"
import { amountText } from "./csv-file.ts"
import { type Income, readIncome } from "./read-income.ts"

interface Wish {
  seller: Actor
  /** By default the present one. */
  year: string | undefined
}

/** The year's report as a file. */
export async function exportIncome(
  deps: Pick<ExportDeps, "db" | "clock"> & { reportsDb: ReportsDb },
  { seller, year }: Wish,
): Promise<{ year: number; content: Readable }> {
  const income = await readIncome(deps, { sellerId: seller.id, year })
  const entry = { action: "income.exported", audience: "seller", actor: seller, filter: { year: income.year } } as const
  const content = await startFile(deps, entry, async () => Readable.from([incomeCsvOf(income)]))
  return { year: income.year, content }
}

const header = ["Mês", "Pagamentos", "Bruto (R$)", "Taxas (R$)", "Líquido (R$)"]

/** As the other CSV files, with a byte order mark and CRLF. */
function incomeCsvOf({ months }: Income): string {
  const rows = months.map(({ month, count, grossCents, feeCents, netCents }) => [
    month.split("-").toReversed().join("/"),
    String(count),
    ...[grossCents, feeCents, netCents].map(amountText),
  ])
  return `\uFEFF${[header, ...rows].map((cells) => `${cells.join(";")}\r\n`).join("")}`
}
