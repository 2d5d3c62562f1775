import type { CloseKind } from "@tilinta/contract/vocabulary/books"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { type RawBuilder, sql } from "kysely"
import type { NewRow } from "#db/rows-of"
import type { Tx } from "#db/transaction"

/** One entry of the bank's lists. */
export interface BankEntry {
  kind: CloseKind
  reference: string
  /** Null where the bank doesn't report it. */
  amountCents: Cents | null
  state: "completed" | "refused" | "under-way"
  happenedAt: Date | null
}

/** A comparison under way, with the bounds of its day. */
export interface Comparison {
  closeId: string
  runId: string
  provider: string
  providerLabel: string
  from: Date
  to: Date
  /** Without a list of payouts at the provider, payouts are not compared. */
  kinds: CloseKind[]
}

/** An entry that appears twice, as in lists that shift during paging, is stored once: the later state counts. */
export async function saveEntries(tx: Tx, runId: string, entries: BankEntry[]): Promise<void> {
  const unique = [...new Map(entries.map((entry) => [`${entry.kind} ${entry.reference}`, entry])).values()]
  if (unique.length === 0) return
  await tx
    .insertInto("daily_close_entries")
    .values(
      unique.map(
        (entry) =>
          ({
            run_id: runId,
            kind: entry.kind,
            reference: entry.reference,
            amount_cents: entry.amountCents,
            state: entry.state,
            happened_at: entry.happenedAt,
          }) satisfies NewRow<"daily_close_entries">,
      ),
    )
    .onConflict((conflict) =>
      conflict.columns(["run_id", "kind", "reference"]).doUpdateSet((row) => ({
        amount_cents: row.ref("excluded.amount_cents"),
        state: row.ref("excluded.state"),
        happened_at: row.ref("excluded.happened_at"),
      })),
    )
    .execute()
}

export async function deleteEntries(tx: Tx, runId: string): Promise<void> {
  await tx.deleteFrom("daily_close_entries").where("run_id", "=", runId).execute()
}

/** Deletes entries left by crashed runs. */
export async function deleteEntriesOfOthers(tx: Tx, now: Date): Promise<void> {
  await sql`
    delete from daily_close_entries where run_id not in (
      select run_id from daily_closes where run_id is not null and next_attempt_at > ${now}
    )`.execute(tx)
}

/** Our completed entries of the day, each under the bank's reference. */
function ourDay(kind: CloseKind, { provider, from, to }: Comparison): RawBuilder<unknown> {
  if (kind === "receipt") {
    return sql`select end_to_end_id as reference, amount_cents, paid_at as happened_at from payments
      where provider = ${provider} and paid_at >= ${from} and paid_at < ${to}`
  }
  const settled = sql`provider = ${provider} and settled_at >= ${from} and settled_at < ${to}`
  return kind === "refund"
    ? sql`select end_to_end_id || '/' || psp_refund_id as reference, amount_cents, settled_at as happened_at
        from refunds where ${settled} and status = 'completed'`
    : sql`select payout_id as reference, amount_cents, settled_at as happened_at from withdrawals
        where ${settled} and ${wasPaid} and payout_id is not null`
}

/** The bank lists it as paid, although all of it came back later. */
const wasPaid = sql`(status = 'completed' or returned_cents > 0)`

/** An endToEndId contains no slash; a bank's refund ids may. */
const isNamed = sql`end_to_end_id = split_part(bank.reference, '/', 1)
  and psp_refund_id = substr(bank.reference, strpos(bank.reference, '/') + 1)`

/** Our entry with the bank's reference, of any day and state. */
function ourNamesake(kind: CloseKind): RawBuilder<unknown> {
  if (kind === "receipt") {
    return sql`select amount_cents, 'completed' as state from payments where end_to_end_id = bank.reference`
  }
  return kind === "refund"
    ? sql`select amount_cents, status as state from refunds
        where ${isNamed}`
    : sql`select amount_cents, case when ${wasPaid} then 'completed' else status end as state
        from withdrawals where payout_id = bank.reference`
}

const bankDay = ({ runId, from, to }: Comparison, kind: CloseKind) => sql`
  bank.run_id = ${runId} and bank.kind = ${kind} and bank.state = 'completed'
  and bank.happened_at >= ${from} and bank.happened_at < ${to}`

/**
 * PostgreSQL has no statistics on fresh entries, expects a handful, and would scan all of them per row of ours. Their
 * entries are found in our tables by an index, ours among the entries by a hash.
 */
async function joinBy(tx: Tx, how: "index" | "hash"): Promise<void> {
  await sql`select set_config('enable_nestloop', ${how === "index" ? "on" : "off"}, true)`.execute(tx)
}

/** Our entries of the day that the bank's lists lacked: lists may lag, so these are queried by name. */
export async function findUnlisted(
  tx: Tx,
  comparison: Comparison,
  limit: number,
): Promise<{ kind: CloseKind; reference: string }[]> {
  const parts = comparison.kinds.map(
    (kind) => sql`select ${kind} as kind, ours.reference from (${ourDay(kind, comparison)}) ours
      where not exists (
        select from daily_close_entries bank
        where bank.run_id = ${comparison.runId} and bank.kind = ${kind} and bank.reference = ours.reference
      )`,
  )
  await joinBy(tx, "hash")
  const { rows } = await sql<{ kind: CloseKind; reference: string }>`
    ${sql.join(parts, sql` union all `)} limit ${limit}`.execute(tx)
  return rows
}

/** Without a time from the bank, the time when we heard of it counts. */
export async function adoptOurTimes(tx: Tx, { runId }: Comparison): Promise<void> {
  const isUntimed = sql`bank.run_id = ${runId} and bank.state = 'completed' and bank.happened_at is null`
  await sql`
    update daily_close_entries bank set happened_at = ours.settled_at from refunds ours
    where ${isUntimed} and bank.kind = 'refund' and ${isNamed}`.execute(tx)
  await sql`
    update daily_close_entries bank set happened_at = ours.settled_at from withdrawals ours
    where ${isUntimed} and bank.kind = 'payout' and ours.payout_id = bank.reference`.execute(tx)
}

/** Records the day's entries that only the bank has or has differently, those unreadable, and those that only we have. */
export async function compareKind(tx: Tx, kind: CloseKind, comparison: Comparison, now: Date): Promise<void> {
  const { runId } = comparison
  await writeTotals(tx, kind, comparison)
  await joinBy(tx, "index")
  const theirs = sql`
    select bank.reference, ours.amount_cents as our_cents, bank.amount_cents as bank_cents,
      ours.state as our_state, bank.state as bank_state, bank.happened_at,
      case
        when ours.state is null then 'missing_with_us'
        when ours.state <> 'completed' then 'other_state'
        when ours.amount_cents <> bank.amount_cents then 'other_amount'
      end as problem
    from daily_close_entries bank left join lateral (${ourNamesake(kind)}) ours on true
    where ${bankDay(comparison, kind)}`
  await insertDifferences(tx, kind, { comparison, found: theirs, now })
  const unread = sql`
    select bank.reference, null::bigint as our_cents, null::bigint as bank_cents, null as our_state,
      null as bank_state, bank.happened_at, 'unreadable' as problem
    from unreadable_entries bank left join lateral (${ourNamesake(kind)}) ours on true
    where bank.provider = ${comparison.provider} and bank.kind = ${kind} and ours.state is null
      and bank.happened_at >= ${comparison.from} and bank.happened_at < ${comparison.to}`
  await insertDifferences(tx, kind, { comparison, found: unread, now })
  await markClosedUnreadable(tx, kind, comparison)
  await joinBy(tx, "hash")
  const onlyOurs = sql`
    select ours.reference, ours.amount_cents as our_cents, bank.amount_cents as bank_cents,
      'completed' as our_state, bank.state as bank_state, ours.happened_at,
      case when bank.state is null then 'missing_at_bank' else 'other_state' end as problem
    from (${ourDay(kind, comparison)}) ours
    left join daily_close_entries bank
      on bank.run_id = ${runId} and bank.kind = ${kind} and bank.reference = ours.reference
    where bank.state is distinct from 'completed'`
  await insertDifferences(tx, kind, { comparison, found: onlyOurs, now })
}

interface Found {
  comparison: Comparison
  found: RawBuilder<unknown>
  now: Date
}

async function insertDifferences(tx: Tx, kind: CloseKind, { comparison, found, now }: Found): Promise<void> {
  const { closeId, runId } = comparison
  await sql`
    insert into daily_close_differences as known (
      close_id, kind, reference, problem, our_cents, bank_cents, our_state, bank_state, happened_at, found_at, run_id
    )
    select ${closeId}::uuid, ${kind}, reference, problem, our_cents, bank_cents, our_state, bank_state, happened_at,
      ${now}::timestamptz, ${runId}::uuid
    from (${found}) compared
    where problem is not null
    on conflict (close_id, kind, reference) do update set
      problem = excluded.problem, our_cents = excluded.our_cents, bank_cents = excluded.bank_cents,
      our_state = excluded.our_state, bank_state = excluded.bank_state, happened_at = excluded.happened_at,
      is_mended = false, run_id = excluded.run_id`.execute(tx)
}

/** Debits of the bank's statement, by their text; not those that the bank's own list of payouts tells. */
export async function nameDebits(
  tx: Tx,
  ids: readonly string[],
  { comparison, now }: Omit<Found, "found">,
): Promise<void> {
  const { closeId, runId } = comparison
  const found = sql`
    select text || case nth when 1 then '' else ' (' || nth || ')' end as reference, null::bigint as our_cents,
      amount_cents as bank_cents, null as our_state, 'completed' as bank_state, null::timestamptz as happened_at,
      'missing_with_us' as problem
    from (
      select text, amount_cents, row_number() over (partition by text order by id) as nth
      from bank_debits where id = any(${[...ids]}::uuid[])
    ) debit
    where not exists (
      select from daily_close_differences known
      where known.close_id = ${closeId} and known.kind = 'payout' and known.run_id = ${runId}
        and strpos(debit.text, known.reference) > 0
    )`
  await insertDifferences(tx, "payout", { comparison, found, now })
}

/** Entries that an admin closed stay listed, and are no open difference. */
async function markClosedUnreadable(tx: Tx, kind: CloseKind, { closeId, provider }: Comparison): Promise<void> {
  await sql`
    update daily_close_differences known set is_mended = true
    from unreadable_entries entry
    where known.close_id = ${closeId} and known.kind = ${kind} and known.problem = 'unreadable'
      and entry.provider = ${provider} and entry.kind = ${kind} and entry.reference = known.reference
      and entry.closed_at is not null`.execute(tx)
}

async function writeTotals(tx: Tx, kind: CloseKind, comparison: Comparison): Promise<void> {
  await sql`
    insert into daily_close_totals (close_id, kind, our_count, our_cents, bank_count, bank_cents)
    select ${comparison.closeId}::uuid, ${kind}, ours.count, ours.sum, bank.count, bank.sum
    from (select count(*) as count, coalesce(sum(amount_cents), 0) as sum from (${ourDay(kind, comparison)}) day) ours,
      (
        select count(*) as count, coalesce(sum(amount_cents), 0) as sum
        from daily_close_entries bank where ${bankDay(comparison, kind)}
      ) bank
    on conflict (close_id, kind) do update set
      our_count = excluded.our_count, our_cents = excluded.our_cents,
      bank_count = excluded.bank_count, bank_cents = excluded.bank_cents`.execute(tx)
}

/** Compares our clearing account with the rows that moved it: one statement, one snapshot. */
export async function compareBalance(tx: Tx, { closeId, runId, provider }: Comparison, now: Date): Promise<void> {
  const account = `psp-clearing:${provider}`
  await sql`
    insert into daily_close_differences (
      close_id, kind, reference, problem, our_cents, bank_cents, found_at, run_id
    )
    select ${closeId}::uuid, 'balance', ${account}, 'other_amount', booked.cents, moved.cents, ${now}::timestamptz,
      ${runId}::uuid
    from (select coalesce((select -balance_cents from ledger_accounts where id = ${account}), 0) as cents) booked,
      (
        select (select coalesce(sum(amount_cents), 0) from payments where provider = ${provider})
          - (select coalesce(sum(amount_cents), 0) from refunds where provider = ${provider} and status = 'completed')
          - (select coalesce(sum(amount_cents - returned_cents), 0) from withdrawals
             where provider = ${provider} and status = 'completed')
          + (select coalesce(sum(case
               when kind in ('own_payout', 'bank_tariff') then -amount_cents
               when kind in ('capital_in', 'yield') then amount_cents else 0 end), 0)
             from manual_entries where provider = ${provider} and booked_at is not null) as cents
      ) moved
    where booked.cents <> moved.cents
    on conflict (close_id, kind, reference) do update set
      our_cents = excluded.our_cents, bank_cents = excluded.bank_cents, run_id = excluded.run_id`.execute(tx)
}

/** Deletes differences of earlier runs that this one no longer found. Entries booked by the close stay listed. */
export async function deleteSettledDifferences(tx: Tx, { closeId, runId }: Comparison): Promise<void> {
  await sql`
    delete from daily_close_differences
    where close_id = ${closeId} and not is_mended and run_id is distinct from ${runId}`.execute(tx)
}
