import { query } from "../embedded-books.ts"
import { cyclesUntil, plus } from "./reckoning.ts"
import type { Drill } from "./run-receivables.ts"

interface Row {
  id: string
  status: string
  mode: string
  paid: string | null
  parts: string | null
  fee: string | null
  rate: number | null
}

/** One sentence per difference between the books and what the drill did, computed apart from the product. */
export async function auditReceivables(drill: Drill): Promise<string[]> {
  return [...(await auditAmounts(drill)), ...(await auditReminders(drill)), ...(await auditCycles(drill))]
}

async function auditAmounts({ installation, known }: Drill): Promise<string[]> {
  const rows = await query<Row>(
    installation.databaseUrl,
    `select invoice.id, invoice.status, invoice.mode, invoice.paid_cents::text as paid,
       (part.original_cents - part.discount_cents + part.fine_cents + part.interest_cents)::text as parts,
       charge.fee_cents::text as fee, charge.fee_basis_points as rate
     from invoices invoice
     left join invoice_payments part on part.invoice_id = invoice.id
     left join charges charge on charge.id = invoice.charge_id`,
  )
  const found = new Map(rows.map((row) => [row.id, row]))
  const [waiting] = await query<{ count: string }>(installation.databaseUrl, "select count(*) from unmatched_payments")
  const differences = waiting?.count === "0" ? [] : [`${waiting?.count} payments wait for a person`]
  for (const { id, mode, paid } of known.values()) {
    const row = found.get(id)
    if (row === undefined) differences.push(`the invoice ${id} is gone`)
    else if (row.mode !== mode) differences.push(`${id} was made in mode ${mode}, and is in ${row.mode}`)
    else if (paid === null && row.status === "paid") differences.push(`${id} was never paid, and is`)
    else if (paid !== null) {
      const fee = Math.floor((paid.cents * (row.rate ?? 0) + 5_000) / 10_000)
      const expected = [paid.cents, paid.cents, fee].join(" / ")
      const is = [row.paid, row.parts, row.fee].join(" / ")
      if (is !== expected) differences.push(`${mode} ${id}: paid, parts and fee are ${is}, not ${expected}`)
    }
  }
  return differences
}

async function auditReminders({ installation, known }: Drill): Promise<string[]> {
  const rows = await query<{ name: string }>(
    installation.databaseUrl,
    "select invoice_id || ' ' || day as name from reminders where step is not null and status = 'sent'",
  )
  const counts = new Map<string, number>()
  for (const { name } of rows) counts.set(name, (counts.get(name) ?? 0) + 1)
  const wanted = new Set([...known.values()].flatMap(({ id, reminded }) => reminded.map((day) => `${id} ${day}`)))
  return [
    ...[...counts].flatMap(([name, count]) => (count > 1 ? [`reminded ${count} times: ${name}`] : [])),
    ...[...wanted].flatMap((name) => (counts.has(name) ? [] : [`not reminded: ${name}`])),
    ...[...counts.keys()].flatMap((name) => (wanted.has(name) ? [] : [`reminded without a reason: ${name}`])),
  ]
}

async function auditCycles({ installation, subscriptions, today }: Drill): Promise<string[]> {
  const rows = await query<{ subscription_id: string; due_day: string; count: string }>(
    installation.databaseUrl,
    `select cycle.subscription_id, cycle.due_day::text, count(*) from subscription_cycles cycle
     join invoices invoice on invoice.id = cycle.invoice_id and invoice.due_day = cycle.due_day group by 1, 2`,
  )
  const differences = rows.flatMap(({ subscription_id: id, due_day: day, count }) =>
    count === "1" ? [] : [`the subscription ${id} charged ${day} ${count} times`],
  )
  for (const { id, firstDueDate, period } of subscriptions.values()) {
    const expected = cyclesUntil(firstDueDate, period, plus(today, 6)).join(" ")
    const days = rows.flatMap((row) => (row.subscription_id === id ? [row.due_day] : []))
    const is = days.toSorted().join(" ")
    if (is !== expected) differences.push(`the ${period} subscription ${id} charged ${is}, not ${expected}`)
  }
  return differences
}
