import { type RawBuilder, sql } from "kysely"
import { type RecordedTable, recordedTables, type SchemaObject, schemaObjectsQuery, strangeObjects } from "#db/catalog"
import { appRole } from "#db/roles"
import type { Db } from "#db/transaction"
import type { LedgerDifference } from "#ledger/reads"

/** More are counted and not listed. */
const MOST_DIFFERENCES = 1_000

/** Rows that have no state: what a page of a single charge says, and a notice of payments, others say that are sealed. */
const unrecorded: Record<string, RawBuilder<boolean>> = {
  charge_pages: sql`item.is_single`,
  notices: sql`item.content ->> 'kind' in ('payment_received', 'payments_received')`,
}

/** Insertions of these are not recorded: a payment, which is sealed, makes the row. */
const recordedOnceChanged = ["unmatched_payments"]

function statesOf({ table, key, columns }: RecordedTable): RawBuilder<unknown> {
  const subject = sql`state_subject(item, ${sql.lit(table)}, ${sql.lit(key)})`
  return sql`
    select ${subject} as subject, state_digest(item, ${columns}::text[]) as digest
    from ${sql.table(table)} item where not ${unrecorded[table] ?? sql`false`}`
}

/** Compares each row with the last state that was recorded of it, and names what another role than the servers' did. */
export async function verifyStates(db: Db): Promise<LedgerDifference[]> {
  const present = sql.join(recordedTables.map(statesOf), sql` union all `)
  const { rows: changed } = await sql<{ subject: string; kept: string | null; present: string | null }>`
    select subject, kept.digest as kept, present.digest as present
    from (select distinct on (subject) subject, digest from recorded_states order by subject, id desc) kept
    full join (${present}) present using (subject)
    where kept.digest is distinct from present.digest
      and not (kept.digest is null and split_part(subject, '/', 1) = any (${recordedOnceChanged}::text[]))
    order by subject limit ${MOST_DIFFERENCES}`.execute(db)
  const { rows: foreign } = await sql<{ subject: string; madeBy: string; at: Date }>`
    select subject, made_by as "madeBy", recorded_at as at from recorded_states where made_by <> ${appRole}
    order by id limit ${MOST_DIFFERENCES}`.execute(db)
  const own = changed.map((each) => ({
    what: `${nameSubject(each.subject)}: ${whatHappened(each)} fora da plataforma`,
    expected: shown(each.kept),
    found: shown(each.present),
  }))
  const others = foreign.map(({ subject, madeBy, at }) => ({
    what: `${nameSubject(subject)}: alterado fora da plataforma em ${at.toISOString()}`,
    expected: appRole,
    found: madeBy,
  }))
  return [
    ...own,
    ...others,
    ...(await valuesAgainstAudit(db)),
    ...(await teamsAgainstAudit(db)),
    ...(await invoicesAgainstAudit(db)),
  ]
}

function whatHappened({ kept, present }: { kept: string | null; present: string | null }): string {
  if (present === null) return "removido"
  return kept === null ? "inserido" : "alterado"
}

function shown(digest: string | null): string {
  return digest?.slice(0, 32) ?? "ausente"
}

const keysOf = new Map(recordedTables.map(({ table, key }) => [table, key.split(",")]))

/** `settings/TRANSACTION_FEE` is settings key=TRANSACTION_FEE. */
function nameSubject(subject: string): string {
  const [table = "", ...values] = subject.split("/")
  const names = keysOf.get(table) ?? []
  const last = names.length - 1
  const parts = names.map((name, at) => `${name}=${at < last ? values[at] : values.slice(last).join("/")}`)
  return [table, ...parts].join(" ")
}

/**
 * Settings and roles are what the last audit record of them says: a state that was written by hand as the servers write it
 * still lacks one. Ids of records come in the order in which they were written, under the lock of the row.
 */
async function valuesAgainstAudit(db: Db): Promise<LedgerDifference[]> {
  const { rows } = await sql<LedgerDifference>`
    with told as (
      select distinct on (entity, entity_id, part.name) entity, entity_id, part.name, after -> part.name as value
      from audit_records cross join unnest(array['value', 'role']) as part (name)
      where entity in ('setting', 'user') and after ? part.name and action not like 'approval.%'
      order by entity, entity_id, part.name, id desc
    )
    select 'settings key=' || key || ', valor' as what, told.value::text as expected, setting.value::text as found
    from settings setting join told on told.entity = 'setting' and told.entity_id = key and told.name = 'value'
    where told.value <> setting.value
    union all
    select 'users id=' || account.id || ', perfil de acesso', told.value #>> '{}', role
    from users account join told on told.entity = 'user' and told.entity_id = account.id::text and told.name = 'role'
    where told.value #>> '{}' <> role
    limit ${MOST_DIFFERENCES}`.execute(db)
  return rows
}

/** A place in a team is what the last audit record of it says: nobody comes in without one. */
async function teamsAgainstAudit(db: Db): Promise<LedgerDifference[]> {
  const { rows } = await sql<LedgerDifference>`
    select 'equipe da loja ' || member.shop_id || ', papel de ' || member.user_id as what,
      coalesce(told.role, 'nenhum') as expected, member.role as found
    from shop_members member left join lateral (
      select after ->> 'shopRole' as role from audit_records
      where entity = 'user' and entity_id = member.user_id::text and coalesce(after, before) ->> 'shopId' = member.shop_id::text
        and action in ('member.joined', 'member.role_changed', 'member.removed', 'member.left')
      order by id desc limit 1
    ) told on true
    where told.role is distinct from member.role
    limit ${MOST_DIFFERENCES}`.execute(db)
  return rows
}

/**
 * An invoice asks what the audit says of its last change, on the terms of its revision; what was ended isn't open again. Its
 * expiry and its payment are no person's, and have no record.
 */
async function invoicesAgainstAudit(db: Db): Promise<LedgerDifference[]> {
  const { rows } = await sql<LedgerDifference>`
    select 'cobrança com vencimento ' || invoice.id || ', valor, datas, taxa e termos' as what,
      coalesce(told.facts, 'nenhum registro') as expected,
      concat_ws(' / ', invoice.revision, invoice.amount_cents, invoice.due_day, invoice.last_day, invoice.fee_basis_points,
        case when invoice.status in ('open', 'expired') then 'open' else invoice.status end) as found
    from invoices invoice
    left join invoice_revisions terms on terms.invoice_id = invoice.id and terms.revision = invoice.revision
    left join lateral (
      select after ->> 'status' as status,
        concat_ws(' / ', after ->> 'revision', after ->> 'amountCents', after ->> 'dueDay', after ->> 'lastDay',
          ((after ->> 'feePercentage')::numeric * 100)::integer,
          case when after ->> 'status' in ('open', 'expired') then 'open' else after ->> 'status' end) as facts
      from audit_records where entity = 'invoice' and entity_id = invoice.id::text
      order by (after ->> 'revision')::integer desc, id desc limit 1
    ) told on true
    where told.facts is null
      or not starts_with(told.facts,
        concat_ws(' / ', invoice.revision, invoice.amount_cents, invoice.due_day, invoice.last_day, invoice.fee_basis_points) || ' / ')
      or told.status in ('cancelled', 'settled_outside') and invoice.status not in (told.status, 'paid')
      or (invoice.amount_cents, invoice.due_day, invoice.days_after_due, invoice.terms)
        is distinct from (terms.amount_cents, terms.due_day, terms.days_after_due, terms.terms)
    limit ${MOST_DIFFERENCES}`.execute(db)
  return rows
}

/** Triggers, functions and views run inside every statement: they must be those of this version. */
export async function verifySchema(db: Db): Promise<LedgerDifference[]> {
  const { rows } = await sql<SchemaObject>`${sql.raw(schemaObjectsQuery)}`.execute(db)
  const { rows: versions } = await sql<{ major: number }>`
    select current_setting('server_version_num')::integer / 10000 as major`.execute(db)
  return strangeObjects(versions[0]?.major ?? 0, rows).map(({ object, found }) => ({
    what: `esquema: ${object}`,
    expected: found === "a mais" ? "nenhum" : "como esta versão o faz",
    found,
  }))
}
