import type { Readable } from "node:stream"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import {
  heldWithdrawalStatuses,
  returnedWithdrawalStatuses,
  sentWithdrawalStatuses,
  type WithdrawalStatus,
  withdrawalStatusLabels,
} from "@tilinta/contract/vocabulary/withdrawals"
import { type RawBuilder, sql } from "kysely"
import {
  documentColumn,
  labelColumn,
  momentColumn,
  moneyColumn,
  type Table,
  textColumn,
  valueColumn,
} from "#db/exports"
import { foldedPattern, type SearchFor } from "#db/list-range"
import { prepared, wordList } from "#db/prepared"
import type { Db } from "#db/transaction"
import { isId } from "#kit/ids"
import { postingName } from "#ledger/post-transactions"
import { type ExportDeps, type ExportTo, startExport } from "#platform/audit/export"
import { findByPayoutIds, type WithdrawalFilter, withdrawalConditions } from "./reads.ts"
import type { Withdrawal } from "./withdrawal.ts"

/** Our withdrawals by payout id. */
export async function findWithdrawalsOfPayouts(db: Db, payoutIds: string[]): Promise<Map<string, Withdrawal>> {
  const found = await findByPayoutIds(db, payoutIds)
  return new Map(found.map((withdrawal) => [withdrawal.payoutId ?? "", withdrawal]))
}

export async function readPayoutsUnderWay(db: Db): Promise<{ count: number; oldestAt: Date | null }> {
  const { rows } = await sql<{ count: number; oldestAt: Date | null }>`
    select count(*) as count, min(coalesce(approved_at, created_at)) as "oldestAt"
    from withdrawals where status = 'processing'`.execute(db)
  return rows[0] ?? { count: 0, oldestAt: null }
}

interface WithdrawalHit {
  id: string
  amountCents: Cents
  status: WithdrawalStatus
  createdAt: Date
  sellerName: string
}

interface HitRow {
  id: string
  amount_cents: Cents
  status: WithdrawalStatus
  created_at: Date
  seller_name: string
}

/** Matches an exact identifier, the Pix key, or sellers that the words find. */
export async function searchWithdrawals(
  db: Db,
  { words, atMost }: SearchFor,
  sellerIds: readonly string[],
): Promise<WithdrawalHit[]> {
  const byId = isId(words) ? sql`select ${words}::uuid union all` : sql``
  const newest = sql`order by created_at desc, id desc limit ${atMost}`
  const { rows } = await sql<HitRow>`
    select withdrawal.id, withdrawal.amount_cents, withdrawal.status, withdrawal.created_at,
      seller.name as seller_name
    from withdrawals withdrawal join users seller on seller.id = withdrawal.seller_id
    where withdrawal.id in (
      ${byId} select id from withdrawals where end_to_end_id = ${words}
      union all (select id from withdrawals where search_text like ${foldedPattern(words)} ${newest})
      union all select latest.id from unnest(${sellerIds}::uuid[]) known (id)
        cross join lateral (select id from withdrawals where seller_id = known.id ${newest}) latest
    )
    order by withdrawal.created_at desc, withdrawal.id desc limit ${atMost}`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    amountCents: row.amount_cents,
    status: row.status,
    createdAt: row.created_at,
    sellerName: row.seller_name,
  }))
}

function withdrawalsForAdmin(filter: WithdrawalFilter): Table {
  return {
    columns: [
      momentColumn("Data", "withdrawal.created_at"),
      textColumn("Vendedor", "seller.name"),
      textColumn("E-mail do vendedor", "seller.email"),
      documentColumn("CPF do vendedor", "seller.cpf"),
      moneyColumn("Valor (R$)", "withdrawal.amount_cents"),
      labelColumn("Status", "withdrawal.status", withdrawalStatusLabels),
      labelColumn("Método", "withdrawal.method", { pix: "PIX", bank_transfer: "Transferência bancária" }),
      textColumn("Chave Pix", "withdrawal.pix_key"),
      textColumn("Banco", "destination.bank"),
      textColumn("Agência", "destination.agency"),
      textColumn("Conta", "destination.account"),
      labelColumn("Tipo de conta", "destination.account_type", { corrente: "Corrente", poupanca: "Poupança" }),
      textColumn("Observações", "withdrawal.admin_notes"),
      textColumn("Motivo da recusa", "withdrawal.failure_reason"),
      moneyColumn("Valor devolvido (R$)", "withdrawal.returned_cents"),
      textColumn("Motivo da devolução", "withdrawal.return_reason"),
      momentColumn("Aprovado em", "withdrawal.approved_at"),
      momentColumn("Finalizado em", "withdrawal.processed_at"),
      momentColumn("Devolvido em", "withdrawal.returned_at"),
      valueColumn("ID do saque", "withdrawal.id"),
      textColumn("ID do Pix", "withdrawal.end_to_end_id"),
    ],
    source: sql`withdrawals withdrawal
      join users seller on seller.id = withdrawal.seller_id
      cross join lateral (
        select
          withdrawal.bank_data ->> 'bank' as bank,
          withdrawal.bank_data ->> 'agency' as agency,
          withdrawal.bank_data ->> 'account' as account,
          withdrawal.bank_data ->> 'accountType' as account_type
      ) destination
      where ${withdrawalConditions(filter)}
      order by withdrawal.created_at desc, withdrawal.id desc`,
  }
}

export function exportAllWithdrawals(
  deps: ExportDeps,
  filter: WithdrawalFilter,
  { format, actor }: ExportTo,
): Promise<Readable> {
  const table = withdrawalsForAdmin(filter)
  return startExport(deps, { action: "withdrawals.exported", audience: "admin", actor, filter, format, table })
}

interface WithdrawalDifference {
  what: string
  expected: string
  found: string
}

/** One statement per check and thus one snapshot each, consistent even next to a running server. */
const checks: RawBuilder<WithdrawalDifference>[] = [
  sql`select 'conta ' || coalesce(account.id, real.id) || ', em centavos' as what,
      coalesce(real.amount, 0)::text as expected, coalesce(account.balance_cents, 0)::text as found
    from (select id, balance_cents from ledger_accounts where kind in ('seller-held', 'payouts-under-way')) account
    full join (
      select case when status = 'processing' then 'payouts-under-way:' || coalesce(provider, 'sem provedor')
        else 'seller-held:' || seller_id end
        as id, sum(amount_cents) as amount
      from withdrawals where status in ${wordList(heldWithdrawalStatuses)} group by 1
    ) real on real.id = account.id
    where coalesce(real.amount, 0) <> coalesce(account.balance_cents, 0)`,
  sql`select 'lançamentos do saque ' || withdrawal.id || ' (' || withdrawal.status || '), em centavos' as what,
      wanted.kind || ' ' || wanted.amount as expected,
      wanted.kind || ' ' || coalesce(booked.amount, 0) as found
    from withdrawals withdrawal
    cross join lateral (values
      ('withdrawal', withdrawal.amount_cents),
      ('withdrawal-returned',
        case
          when withdrawal.paid_after_refusal_at is not null
            or (withdrawal.status in ${wordList(returnedWithdrawalStatuses)} and withdrawal.returned_cents = 0)
          then withdrawal.amount_cents else 0 end),
      ('payout', case
        when withdrawal.attempts > 0
          and (withdrawal.status in ${wordList(sentWithdrawalStatuses)} or withdrawal.failure_reason is not null
            or withdrawal.returned_cents > 0)
        then withdrawal.amount_cents else 0 end),
      ('payout-completed', case
        when withdrawal.status = 'completed' or withdrawal.returned_cents > 0
        then withdrawal.amount_cents else 0 end)
    ) wanted (kind, amount)
    left join lateral (
      select sum(posting.amount_cents) as amount
      from journal posting
      where posting.kind = wanted.kind and posting.reference = withdrawal.id::text
    ) booked on true
    where coalesce(booked.amount, 0) <> wanted.amount`,
  sql`select 'o que voltou do saque ' || coalesce(withdrawal.id, booked.id) || ', em centavos' as what,
      coalesce(withdrawal.returned_cents, 0)::text as expected, coalesce(booked.amount, 0)::text as found
    from (select id::text as id, returned_cents from withdrawals where returned_cents > 0) withdrawal
    full join (
      select split_part(reference, '/', 1) as id, sum(amount_cents) as amount
      from journal where kind = 'payout-returned' group by 1
    ) booked on booked.id = withdrawal.id
    where coalesce(withdrawal.returned_cents, 0) <> coalesce(booked.amount, 0)`,
  sql`select ${postingName("posting")} as what, 'um saque' as expected, 'nenhum' as found
    from journal posting
    where kind in ('withdrawal', 'withdrawal-returned', 'payout', 'payout-completed', 'payout-returned')
      and not exists (select from withdrawals where id::text = split_part(posting.reference, '/', 1))`,
  sql`select 'total ' || coalesce(kept.status, real.status) || ' de saques do vendedor '
        || coalesce(kept.seller_id, real.seller_id) as what,
      coalesce(real.count, 0) || ' / ' || coalesce(real.amount, 0) as expected,
      coalesce(kept.count, 0) || ' / ' || coalesce(kept.amount_cents, 0) as found
    from withdrawal_totals kept
    full join (
      select seller_id, status, count(*) as count, sum(amount_cents) as amount
      from withdrawals group by seller_id, status
    ) real on real.seller_id = kept.seller_id and real.status = kept.status
    where coalesce(kept.count, 0) <> coalesce(real.count, 0)
      or coalesce(kept.amount_cents, 0) <> coalesce(real.amount, 0)`,
]

export async function verifyWithdrawals(db: Db): Promise<WithdrawalDifference[]> {
  const results = await Promise.all(checks.map((check) => check.execute(db)))
  return results.flatMap(({ rows }) => rows)
}

/** Minutes within which a withdrawal was paid, from when it could be approved. */
export interface PaidWithin {
  fromMinutes: number
  toMinutes: number
}

/** Fewer say nothing about the next one. */
const FEWEST_PAID = 3

/** The span of the platform's last thirty paid ones, without the fastest and the slowest tenth. */
export async function readPaidWithin(db: Db): Promise<PaidWithin | null> {
  const { rows } = await prepared<PaidWithin & { count: number }>("paid-within")`
    select count(*) as count, percentile_disc(0.1) within group (order by minutes) as "fromMinutes",
      percentile_disc(0.9) within group (order by minutes) as "toMinutes"
    from (
      select greatest(0, ceil(extract(epoch from processed_at - greatest(created_at, held_until)) / 60))::int as minutes
      from withdrawals where status = 'completed' order by processed_at desc limit 30
    ) as lately`.execute(db)
  const [{ count, ...within } = { count: 0, fromMinutes: 0, toMinutes: 0 }] = rows
  return count < FEWEST_PAID ? null : within
}
