import { setTimeout as sleep } from "node:timers/promises"
import { cpfOf } from "../crash-tests/receivables/reckoning.ts"
import { numberOf } from "../kit/arguments.ts"
import { type Job, type Row, shownOnly } from "../kit/job.ts"
import { residentMb } from "../kit/process-figures.ts"
import { inBulkSession, type Session } from "../seed/bulk-session.ts"
import { type SeededServer, withSeededServers } from "../seeded-server.ts"

const withinMs = 30 * 60_000
const issued = "select count(*)::int as count from invoices where subscription_id is not null"
const coded = `${issued} and pix_code is not null`

/** Arguments: `rows=` subscriptions of one seller whose cycle is issued this morning. */
export const job: Job = {
  title: "A morning's invoices",
  async run(args) {
    const rows = numberOf(args, "rows", 10_000)
    const found: Row[] = []
    const work = async ([server]: SeededServer[]) => {
      if (server === undefined) return
      await inBulkSession(server.databaseUrl, async (session) => {
        await seedSubscriptions(session, server.bigSeller.id, rows)
        found.push(...(await measure("invoices issued", issued, { server, session, rows })))
        await session.query("update invoices set mode = 'bank' where subscription_id is not null")
        found.push(...(await measure("codes for their whole life", coded, { server, session, rows })))
      })
    }
    await withSeededServers([10_000], work, { PIX_DUE_CHARGES: "sim" })
    const notes = [
      `${rows.toLocaleString("en-US")} subscriptions of one seller are due for their next invoice at once; then as many invoices of mode \`bank\` wait for their code. A bank that answers 429 is left alone for as long as it says: at 120 calls a minute the codes of 10,000 take 84 minutes, and nobody waits for them, because a payer's page asks for its own.`,
    ]
    return { rows: found, notes }
  },
}

interface Morning {
  server: SeededServer
  session: Session
  rows: number
}

async function measure(what: string, count: string, { server, session, rows }: Morning): Promise<Row[]> {
  const begin = performance.now()
  let most = 0
  for (let done = 0; done < rows; ) {
    if (performance.now() - begin > withinMs) throw new Error(`${what}: ${done} of ${rows} after half an hour`)
    await sleep(100)
    most = Math.max(most, residentMb(server.process.pid ?? 0))
    done = (await session.query<{ count: number }>(count)).rows[0]?.count ?? 0
  }
  const seconds = (performance.now() - begin) / 1000
  return [
    shownOnly({ what, figure: seconds, unit: "s" }),
    shownOnly({ what: `${what}: a second`, figure: rows / seconds, unit: "" }),
    shownOnly({ what: `${what}: the server's memory at most`, figure: most, unit: "MB" }),
  ]
}

/** Each with a customer of its own, due in a week. The session's triggers work again afterwards. */
async function seedSubscriptions(session: Session, sellerId: string, rows: number): Promise<void> {
  const idOf = (variant: string) => `('01900000-0000-7000-${variant}000-' || lpad(to_hex(n), 12, '0'))::uuid`
  const documents = Array.from({ length: rows }, (_, index) => cpfOf(index))
  await session.query("set session_replication_role = replica")
  await session.query(
    `insert into customers (id, seller_id, name, document, email, created_at, updated_at, last_used_at)
     select ${idOf("a")}, $1, 'Cliente ' || n, document, 'c' || n || '@exemplo.com.br', now(), now(), now()
     from unnest($2::text[]) with ordinality as given (document, n)`,
    [sellerId, documents],
  )
  await session.query(
    `insert into subscriptions (
       id, seller_id, customer_id, unique_link, title, period, first_due_day, amount_cents, days_after_due, terms, lead_days,
       issued, position, next_due_day, next_issue_day, created_at, status, updated_at
     )
     select ${idOf("b")}, $1, ${idOf("a")}, 'A' || md5('a' || n), 'Mensalidade', 'monthly', current_date + 7, 5000 + n, 30,
       '{"fine": {"basisPoints": 200}}', 10, 0, 0, current_date + 7, current_date - 3, now(), 'active', now()
     from generate_series(1, $2::int) n`,
    [sellerId, rows],
  )
  await session.query("set session_replication_role = origin")
}
