import { buffersOf, statementsOf } from "../growth/measure-request.ts"
import type { MeasuredRequest, Place } from "../growth/measured-requests.ts"
import { numberOf } from "../kit/arguments.ts"
import { atMost, type Job, type Row, shownOnly } from "../kit/job.ts"
import { openRecorder } from "../recorded-statements.ts"
import { inBulkSession, type Session } from "../seed/bulk-session.ts"
import { download, withSeededServers } from "../seeded-server.ts"
import { timed, timingsOf } from "../timings.ts"

const customers = 10_000
const mostOfPage = 25
const invoices = "/api/v1/invoices?limit=10"
const middle = "select id from invoices where seller_id = $1 order by due_day desc, id desc limit 1 offset $2"

/** Arguments: `rows=` invoices of one seller, of which every fiftieth is open. */
export const job: Job = {
  title: "Invoices",
  async run(args) {
    const rows = numberOf(args, "rows", 1_000_000)
    const found: Row[] = []
    await withSeededServers([10_000], async ([server]) => {
      if (server === undefined) return
      await inBulkSession(server.databaseUrl, (session) => seedInvoices(session, server.bigSeller.id, rows))
      const place = { server, recorder: await openRecorder(server.databaseUrl) }
      const values = [server.bigSeller.id, Math.floor(rows / 2)]
      const [halfway] = (await place.recorder.run({ text: middle, values })) as { id: string }[]
      const paths = {
        all: invoices,
        "due later": `${invoices}&status=due`,
        overdue: `${invoices}&status=overdue`,
        paid: `${invoices}&status=paid`,
        ended: `${invoices}&status=ended`,
        "from the middle": `${invoices}&after=${halfway?.id}`,
        "of a customer": `${invoices}&customerId=${customerId(77)}`,
        customers: "/api/v1/customers?limit=10",
      }
      for (const [name, path] of Object.entries(paths)) found.push(...(await measure(name, path, place)))
      await place.recorder.close()
    })
    const notes = [
      `${rows.toLocaleString("en-US")} invoices of one seller and ${customers.toLocaleString("en-US")} customers, every fiftieth invoice open. The rows of a page, the sums and counts that come with it, and the whole request over HTTP, median of 20.`,
    ]
    return { rows: found, notes }
  },
}

async function measure(name: string, path: string, place: Place): Promise<Row[]> {
  const request: MeasuredRequest = { kind: "list", name, as: "bigSeller", path: () => path }
  const read = { rows: 0, sums: 0 }
  for (const statement of await statementsOf(request, place)) {
    const part = /limit \$\d+ offset/.test(statement.text) ? "rows" : "sums"
    read[part] += await buffersOf(statement, place)
  }
  const { server } = place
  const calls: number[] = []
  for (let call = 0; call < 20; call += 1)
    calls.push(await timed(() => download(server.process.url + path, server.bigSeller.token)))
  return [
    atMost(mostOfPage, { what: `${name}: rows`, figure: read.rows, unit: "buffers" }),
    shownOnly({ what: `${name}: sums and counts`, figure: read.sums, unit: "buffers" }),
    shownOnly({ what: `${name}: request`, figure: timingsOf(calls).p50, unit: "ms" }),
  ]
}

function customerId(number: number): string {
  return `01900000-0000-7000-a000-${number.toString(16).padStart(12, "0")}`
}

/** Four years of invoices; without triggers, whose totals are written at the end. */
async function seedInvoices(session: Session, sellerId: string, rows: number): Promise<void> {
  const idOf = (variant: string, number: string) =>
    `('01900000-0000-7000-${variant}000-' || lpad(to_hex(${number}), 12, '0'))::uuid`
  await session.query("set session_replication_role = replica")
  await session.query(`
    insert into customers (id, seller_id, name, email, created_at, updated_at, last_used_at)
    select ${idOf("a", "n")}, '${sellerId}', 'Cliente ' || n, 'c' || n || '@exemplo.com.br', now(), now(), now()
    from generate_series(0, ${customers - 1}) n`)
  await session.query(`
    create temp table seeded as
    select n, ${idOf("a", `n % ${customers}`)} as customer_id, 5000 + n % 40000 as cents, status, current_date + case
        when status = 'open' then n % 80 - 20 else -30 - n % 1400 end as due_day
    from (
      select n, case when n % 50 = 0 then 'open' when n % 50 = 1 then 'cancelled' when n % 50 = 2 then 'expired' else 'paid' end as status
      from generate_series(0, ${rows - 1}) n
    ) numbered`)
  await session.query(`
    insert into charge_pages (
      id, seller_id, title, amount_cents, unique_link, slug, status, allow_anonymous, require_name, require_email,
      require_phone, require_cpf, expires_in_hours, max_payments, counted_at_once, is_single, is_invoice, is_unlisted, created_at, updated_at
    )
    select ${idOf("b", "n")}, '${sellerId}', 'Mensalidade', cents, 'F' || md5('f' || n), 'f' || n, 'active', true, false,
      false, false, false, 0, 1, true, true, true, true, now(), now()
    from seeded`)
  await session.query(`
    insert into invoices (
      id, seller_id, customer_id, page_id, mode, amount_cents, due_day, days_after_due, fee_basis_points, terms, adjusted_due_day, last_day,
      unique_link, customer, order_data, description, created_at, charge_id, paid_cents, paid_at, paid_parts, status, updated_at
    )
    select ${idOf("c", "n")}, '${sellerId}', customer_id, ${idOf("b", "n")}, 'daily', cents, due_day, 30, 1500,
      '{"fine": {"basisPoints": 200}}', due_day, due_day + 30,
      'F' || md5('f' || n),
      jsonb_build_object('name', 'Cliente ' || n % ${customers}, 'document', null, 'email', null, 'phone', null),
      '{"externalReference": null, "metadata": {}, "returnUrl": null}',
      'Mensalidade', due_day - interval '30 days', case when status = 'paid' then ${idOf("d", "n")} end, case when status = 'paid' then cents end,
      case when status = 'paid' then now() end, null, status, now()
    from seeded`)
  await session.query(`
    insert into invoice_totals (seller_id, status, count, paid_cents)
    select seller_id, status, count(*), coalesce(sum(paid_cents), 0) from invoices group by 1, 2`)
  // Rows that are not yet on disk are not yet visible to all, and an index alone would not do.
  await session.query("checkpoint")
  await session.query("vacuum (analyze) customers")
  await session.query("vacuum (analyze) invoices")
}
