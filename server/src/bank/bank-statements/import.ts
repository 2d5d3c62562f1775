import { createHash } from "node:crypto"
import { type ConfirmRefusal, confirmRefusals } from "@tilinta/contract/bank-statements"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { isId } from "#kit/ids"
import { completePaidByHand } from "#money/withdrawals/decide"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { type Psp, provenTime } from "#psp/psp"
import { parseStatement, type StatementEntry } from "./parse.ts"
import { findDebits, findNeighbours, findPayables, findStatementDebits, findUntoldCredits } from "./reads.ts"
import { endToEndIdOf, entryBankId, type Matched, matchDebits } from "./rules.ts"
import { insertDebits, linkDebit, saveStatement } from "./table.ts"

interface Deps {
  db: Db
  clock: Clock
}

interface ReadStatement {
  id: string
  matched: Matched[]
  /** Debits that no file told before. */
  newCount: number
  /** Credits of which the bank's API never told. */
  untold: StatementEntry[]
}

/** Keeps the debits of the bank's statement, each once, and says which withdrawals they paid. Moves no money. */
export async function importStatement(
  { db, psp, clock }: Deps & { psp: Psp },
  input: { file: Buffer; admin: Actor },
): Promise<ReadStatement> {
  const entries = parseStatement(input.file)
  const now = provenTime({ psp, clock })
  const debits = entries.filter(({ isDebit }) => isDebit)
  const digest = createHash("sha256").update(input.file).digest("base64url")
  const { id: statementId, newCount } = await db
    .transaction()
    .execute((tx) => keepDebits(tx, { digest, debits, actor: input.admin }, now))
  const stored = await findDebits(
    db,
    debits.map(({ key }) => key),
  )
  const order = new Map(debits.map(({ key }, at) => [key, at]))
  const sorted = stored.toSorted((one, other) => (order.get(one.key) ?? 0) - (order.get(other.key) ?? 0))
  const ids = sorted.map(({ id }) => id)
  const matches = await matchWithNeighbours(db, ids, new Set(ids))
  return {
    id: statementId,
    matched: sorted.flatMap(({ id }) => matches.get(id) ?? []),
    newCount,
    untold: await findUntoldCredits(
      db,
      entries.filter(({ isDebit }) => !isDebit),
    ),
  }
}

interface Kept {
  digest: string
  debits: readonly StatementEntry[]
  actor: Actor
}

async function keepDebits(
  tx: Tx,
  { digest, debits, actor }: Kept,
  now: Date,
): Promise<{ id: string; newCount: number }> {
  const debitKeys = debits.map(({ key }) => key)
  const id = await saveStatement(tx, { digest, debitKeys, importedBy: actor.id, importedAt: now })
  const newCount = await insertDebits(tx, debits)
  const after = { debits: debits.length, new: newCount }
  const about = { action: "bank_statement.imported", entity: "list", entityId: "bank-statements" } as const
  if (newCount > 0) await recordAudit(tx, { actor, happenedAt: now, ...about, before: null, after })
  return { id, newCount }
}

async function matchWithNeighbours(
  db: Db,
  ids: readonly string[],
  file: ReadonlySet<string>,
): Promise<Map<string, Matched>> {
  if (ids.length === 0) return new Map()
  const debits = await findNeighbours(db, ids)
  const days = debits.map(({ day }) => day)
  const payables = await findPayables(db, { from: days[0] ?? "", to: days.at(-1) ?? "" })
  return new Map(matchDebits(debits, payables, file).map((each) => [each.debit.id, each]))
}

interface Confirmation {
  statementId: string
  admin: Actor
  entries: readonly { id: string /** A person's choice for a doubtful one. */; withdrawalId: string | null }[]
}

interface ConfirmedEntry {
  id: string
  withdrawalId: string | null
  /** Null when the withdrawal was marked as paid. */
  refusal: { code: ConfirmRefusal; message: string } | null
}

/**
 * Marks as paid what these debits paid, each in a transaction of its own. Its name there is the debit's, so that a second
 * call, or one after a crash, finds it paid.
 */
export async function confirmEntries(
  deps: Deps & { psp: Pick<Psp, "name"> },
  { statementId, admin, entries }: Confirmation,
): Promise<ConfirmedEntry[]> {
  const own = isId(statementId) ? await findStatementDebits(deps.db, statementId) : null
  if (own === null) throw new DomainError("not_found")
  const ids = entries.map(({ id }) => id).filter((id) => own.has(id))
  const matches = await matchWithNeighbours(deps.db, ids, own)
  const confirmed: ConfirmedEntry[] = []
  for (const entry of entries) confirmed.push(await confirmOne(deps, { admin, entry, matched: matches.get(entry.id) }))
  return confirmed
}

interface One {
  admin: Actor
  entry: Confirmation["entries"][number]
  matched: Matched | undefined
}

async function confirmOne(
  deps: Deps & { psp: Pick<Psp, "name"> },
  { admin, entry, matched }: One,
): Promise<ConfirmedEntry> {
  const { id } = entry
  const chosen = matched?.candidateIds.find((each) => each === entry.withdrawalId) ?? null
  const isOffered = matched?.match === "sure" || matched?.match === "likely"
  const withdrawalId = isOffered ? matched.withdrawalId : chosen
  if (matched === undefined || withdrawalId === null)
    return { id, withdrawalId: null, refusal: refusalOf(new DomainError("entry_not_matched")) }
  try {
    const bankId = endToEndIdOf(matched.debit) ?? entryBankId(id)
    await completePaidByHand(deps, { id: withdrawalId, admin, adminNotes: "", bankId, provenBy: "statement" })
    await deps.db.transaction().execute((tx) => linkDebit(tx, { id, withdrawalId }))
    return { id, withdrawalId, refusal: null }
  } catch (error) {
    return { id, withdrawalId, refusal: refusalOf(error) }
  }
}

function refusalOf(error: unknown): NonNullable<ConfirmedEntry["refusal"]> {
  const code = confirmRefusals.find((each) => error instanceof DomainError && error.code === each)
  if (!(error instanceof DomainError) || code === undefined) throw error
  return { code, message: error.shownMessage }
}
