import type pg from "pg"

/** Figures of the books by which two databases are compared, as text. */
export type BookFacts = Readonly<Record<string, string>>

/** Order plays no part: each row's digest is added up. Constant memory, one pass over each table. */
const statements: Readonly<Record<string, string>> = {
  contas: `select count(*) || ' somam ' || coalesce(sum(balance_cents), 0) as fact,
    coalesce(sum(hashtextextended(id || '=' || balance_cents || '>' || floor_cents, 0)::numeric), 0)::text as digest
    from ledger_accounts`,
  pagamentos: `select count(*) || ' de ' || coalesce(sum(amount_cents), 0) as fact,
    coalesce(sum(hashtextextended(end_to_end_id || '=' || amount_cents || '-' || fee_cents, 0)::numeric), 0)::text as digest
    from payments`,
  lancamentos: `select count(*) || ' de ' || coalesce(sum(amount_cents), 0) as fact,
    coalesce(sum(hashtextextended(kind || reference || line || '=' || amount_cents, 0)::numeric), 0)::text as digest
    from journal`,
  saques: `select count(*) || ' de ' || coalesce(sum(amount_cents), 0) as fact,
    coalesce(sum(hashtextextended(id || status || '=' || amount_cents, 0)::numeric), 0)::text as digest
    from withdrawals`,
  corrente: `select block_count || ' blocos' as fact, coalesce(note, '') as digest from chain_head`,
}

export async function readBookFacts(session: pg.Client): Promise<BookFacts> {
  const facts: Record<string, string> = {}
  for (const [name, statement] of Object.entries(statements)) {
    const { rows: tables } = await session.query("select where to_regclass($1) is not null", [tableOf(statement)])
    // The schema of a backup may be older than this program.
    if (tables.length === 0) continue
    const { rows } = await session.query<{ fact: string; digest: string }>(statement)
    facts[name] = `${rows[0]?.fact} (${rows[0]?.digest})`
  }
  return facts
}

function tableOf(statement: string): string | undefined {
  return /from (\w+)$/.exec(statement)?.[1]
}

/** The names of the wanted figures that differ; another version may have written others. */
export function differentFacts(wanted: BookFacts, found: BookFacts): string[] {
  return Object.keys(wanted).filter((name) => wanted[name] !== found[name])
}
