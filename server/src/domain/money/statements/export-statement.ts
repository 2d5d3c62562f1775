import { Readable } from "node:stream"
import type { StatementFormat } from "@tilinta/contract/api/statements-endpoints"
import { getUser } from "#domain/people/users/get-user"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { type ExportDeps, startExport, startFile } from "#domain/platform/audit/start-export"
import { readPlatform } from "#domain/platform/settings/read-platform"
import { brokenRule } from "#kit/domain-error"
import type { Month } from "#kit/sao-paulo-day"
import { ofxOf } from "./ofx-file.ts"
import { pdfOf } from "./pdf-file.ts"
import { statementRows } from "./statement-exports-repository.ts"
import { linesWithin, type MonthFacts, monthAt, spanOf } from "./statement-months.ts"
import { countMovements, readSlice } from "./statements-repository.ts"

interface Wish {
  seller: Actor
  /** By default the present one. */
  month: Month | undefined
  format: StatementFormat
}

/** A PDF is laid out line by line by this process; the other formats have no limit. */
const MOST_PDF_LINES = 5_000

/** A whole month as a file. */
export async function exportStatement(deps: ExportDeps, wish: Wish): Promise<{ month: Month; content: Readable }> {
  const { seller, format } = wish
  const month = wish.month ?? monthAt(deps.clock.now())
  const span = spanOf(seller.id, month)
  const entry = { action: "statement.exported", audience: "seller", actor: seller, filter: { month, format } } as const
  if (format === "csv") return { month, content: await startExport(deps, { ...entry, rows: statementRows(span) }) }
  if (format === "pdf" && (await countMovements(deps.db, span)) > MOST_PDF_LINES) {
    throw brokenRule(
      "format",
      `O PDF vai até ${MOST_PDF_LINES.toLocaleString("pt-BR")} lançamentos. Baixe este mês em CSV ou OFX.`,
    )
  }
  const content = await startFile(deps, entry, async () => {
    const facts = await readFacts(deps, seller.id, month)
    const lines = linesWithin(deps.db, span)
    return format === "ofx"
      ? Readable.from(ofxOf(facts, lines))
      : pdfOf({ ...facts, ...(await namesOf(deps, seller.id)) }, lines)
  })
  return { month, content }
}

async function readFacts({ db, clock }: ExportDeps, sellerId: string, month: Month): Promise<MonthFacts> {
  const span = spanOf(sellerId, month)
  const now = clock.now()
  const { openingCents } = await readSlice(db, { ...span, after: null, limit: 1 })
  const lastMoment = new Date(span.to.getTime() - 1)
  return { ...span, month, now, until: now < lastMoment ? now : lastMoment, openingCents }
}

async function namesOf({ db }: ExportDeps, sellerId: string) {
  const [{ name, cpf }, platform] = await Promise.all([getUser(db, sellerId), readPlatform(db)])
  return { sellerName: name, sellerCpf: cpf, platformName: platform.name }
}
