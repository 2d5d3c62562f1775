import { reaisText } from "@tilinta/contract/vocabulary/money"
import type { Db } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { brokenRule, DomainError } from "#kit/errors"
import type { Protection } from "#kit/request-scope"
import { findHandPayouts } from "#money/hand-payouts/reads"
import { returnWithdrawal } from "#money/withdrawals/came-back"
import { completePaidByHand } from "#money/withdrawals/decide"
import type { Actor } from "#platform/audit/rules"
import { actOnOrder } from "#platform/order-macs/macs"
import type { Psp } from "#psp/psp"
import { outcomeOf, type ReturnedLine, type ReturnOutcome, readReturn } from "./layout.ts"
import { findEntry, requireLines } from "./reads.ts"
import { saveEntry } from "./table.ts"

interface Deps {
  db: Db
  clock: Clock
  psp: Pick<Psp, "name" | "payouts">
  protection: Protection
}

interface ReadEntry {
  withdrawalId: string | null
  /** 'unknown': no remittance of this platform has such a line, or not with this amount. */
  outcome: ReturnOutcome | "unknown"
  /** Why the bank refused it, or this platform did not do as it says; empty otherwise. */
  reason: string
}

/** Does what the bank's return says, each line by itself. The same return again, or after a crash, finishes what is left. */
export async function readRemittanceReturn(
  deps: Deps,
  { file, admin }: { file: Buffer; admin: Actor },
): Promise<ReadEntry[]> {
  const lines = readReturn(file.toString("latin1"))
  if (lines === null) throw brokenRule("file", "Este arquivo não é um retorno de pagamentos em CNAB 240.")
  const entries: ReadEntry[] = []
  for (const line of lines) entries.push(await followLine(deps, line, admin))
  return entries
}

async function followLine(deps: Deps, line: ReturnedLine, admin: Actor): Promise<ReadEntry> {
  const [, sequence, number] = /^TLT(\d{6})(\d{5})$/.exec(line.name) ?? []
  const named = { sequence: Number(sequence), line: Number(number) }
  const entry = sequence === undefined ? null : await findEntry(deps.db, named)
  if (entry === null || entry.amountCents !== line.amountCents) {
    return { withdrawalId: null, outcome: "unknown", reason: `Linha ${line.name}, de ${reaisText(line.amountCents)}.` }
  }
  const { outcome, reason } = outcomeOf(line.codes)
  const { withdrawalId } = entry
  // A payment that came back stays so, also when an older return is read after it.
  const isKnown = entry.state === outcome || entry.state === "returned"
  if (outcome === "accepted" || isKnown) return { withdrawalId, outcome, reason }
  if (outcome === "refused" && entry.state === "paid") {
    return { withdrawalId, outcome, reason: `${reason}. O saque já consta como pago: confira no extrato.` }
  }
  try {
    await actOnOrder(deps, (tx) => requireLines(tx, named.sequence))
    const bankId = `remessa ${named.sequence}/${named.line}`
    if (outcome === "paid") await completeOnce(deps, { id: withdrawalId, admin, bankId })
    if (outcome === "returned") {
      const returned = { ...named, bankId, isPaid: entry.state === "paid" }
      const { waits } = await returnWithdrawal(deps, { id: withdrawalId, admin, reason, line: returned })
      if (waits !== null) return { withdrawalId, outcome, reason: `${reason}. ${waitsForAnother}` }
    }
    await deps.db.transaction().execute((tx) => saveEntry(tx, { ...named, state: outcome, reason }))
    return { withdrawalId, outcome, reason }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const isOver = outcome === "paid" && error.code === "withdrawal_not_completable"
    return { withdrawalId, outcome, reason: isOver ? perhapsTwice : error.shownMessage }
  }
}

const waitsForAnother = "O valor volta ao saldo quando outro administrador ler o mesmo retorno, ou aprovar."

const perhapsTwice = "O saque já não esperava pagamento: o dinheiro pode ter saído duas vezes. Confira no extrato."

/** A run before may have been killed between the completion and the entry. */
async function completeOnce(
  deps: Deps,
  { id, admin, bankId }: { id: string; admin: Actor; bankId: string },
): Promise<void> {
  if ((await findHandPayouts(deps.db, [id], deps.clock.now())).get(id)?.bankId === bankId) return
  await completePaidByHand(deps, { id, admin, adminNotes: "", bankId, provenBy: "return" })
}
