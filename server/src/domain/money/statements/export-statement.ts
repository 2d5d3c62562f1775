import { Readable } from "node:stream"
import type { StatementFormat } from "@tilinta/contract/api/statements-endpoints"
import { bookingProver, type ProveBookings } from "#domain/money/chain/prove-bookings"
import { publishCheckpoint } from "#domain/money/chain/publish-checkpoint"
import { sealRows } from "#domain/money/chain/seal-rows"
import { getUser } from "#domain/people/users/get-user"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { type ExportDeps, startFile } from "#domain/platform/audit/start-export"
import { readPlatform } from "#domain/platform/settings/read-platform"
import { brokenRule } from "#kit/domain-error"
import type { Month } from "#kit/sao-paulo-day"
import { csvOf } from "./csv-file.ts"
import { ofxOf } from "./ofx-file.ts"
import { pdfOf } from "./pdf-file.ts"
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
export async function exportStatement(deps: Deps, wish: Wish): Promise<{ month: Month; content: Readable }> {
  const { seller, format } = wish
  const month = wish.month ?? monthAt(deps.clock.now())
  const span = spanOf(seller.id, month)
  const entry = { action: "statement.exported", audience: "seller", actor: seller, filter: { month, format } } as const
  if (format === "pdf" && (await countMovements(deps.db, span)) > MOST_PDF_LINES) {
    throw brokenRule(
      "format",
      `O PDF vai até ${MOST_PDF_LINES.toLocaleString("pt-BR")} lançamentos. Baixe este mês em CSV ou OFX.`,
    )
  }
  const content = await startFile(deps, entry, async () => {
    const facts = await readFacts(deps, seller.id, month)
    const lines = linesWithin(deps.db, span)
    if (format === "csv") return Readable.from(csvOf(seller.id, lines, await openProver(deps)))
    return format === "ofx"
      ? Readable.from(ofxOf(facts, lines))
      : pdfOf({ ...facts, ...(await namesOf(deps, seller.id)), publicUrl: deps.publicUrl }, lines)
  })
  return { month, content }
}

type Deps = ExportDeps & Parameters<typeof publishCheckpoint>[0] & Parameters<typeof sealRows>[0]

/**
 * Seals what has committed until now, so that the file's last lines have a proof, too. A chain that can't be signed raises an
 * alarm of its own, and the seller still gets the file.
 */
async function openProver(deps: Deps): Promise<ProveBookings> {
  try {
    await sealRows(deps)
    return await bookingProver(deps.db, await publishCheckpoint(deps))
  } catch (error) {
    deps.log.error({ err: error }, "a statement has no proofs: the chain could not be sealed or signed")
    return async (_account, bookings) => bookings.map(() => "")
  }
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
