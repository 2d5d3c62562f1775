import { query } from "../embedded-books.ts"
import { plus } from "../receivables/reckoning.ts"
import { cyclesOf, type MandateDrill } from "./run-mandates.ts"

interface AtBank {
  txid: string
  idRec: string
  status: string
  calendario: { dataDeVencimento: string }
  valor: { original: string }
  pix?: { endToEndId: string; valor: string }[]
}

interface RecurrenceAtBank {
  idRec: string
  status: string
  vinculo: { contrato: string }
  ativacao: { tipoJornada: string }
}

/** A code that may be paid with an authorisation. */
interface ChargeAtBank {
  txid: string
  status: string
  pix?: { valor: string }[]
}

const whole = "inicio=2020-01-01T00:00:00Z&fim=2099-01-01T00:00:00Z&paginacao.itensPorPagina=1000"

/** Everything in the bank's own books, asked for apart from the product. */
async function askBank({ installation }: MandateDrill) {
  const authorization = `Basic ${Buffer.from("tilinta:tilinta-sandbox").toString("base64")}`
  const grant = { grant_type: "client_credentials" }
  const headers = { authorization, "content-type": "application/json" }
  const token = await fetch(`${installation.bankUrl}/oauth/token`, {
    method: "POST",
    headers,
    body: JSON.stringify(grant),
  })
  const { access_token: bearer } = (await token.json()) as { access_token: string }
  async function list<Row>(path: string, name: string): Promise<Row[]> {
    const rows: Row[] = []
    for (let page = 0; ; page += 1) {
      const url = `${installation.bankUrl}/v2/${path}?${whole}&paginacao.paginaAtual=${page}`
      const answer = await fetch(url, { headers: { authorization: `Bearer ${bearer}` } })
      const found = ((await answer.json()) as Record<string, Row[]>)[name]
      if (found === undefined) throw new Error(`the bank has no list of ${name}`)
      rows.push(...found)
      if (found.length < 1_000) return rows
    }
  }
  return {
    debits: await list<AtBank>("cobr", "cobsr"),
    recurrences: await list<RecurrenceAtBank>("rec", "recs"),
    codes: { 3: await list<ChargeAtBank>("cob", "cobs"), 4: await list<ChargeAtBank>("cobv", "cobs") },
  }
}

/** One sentence per difference between the bank's books, ours, and what was agreed. */
export async function auditMandates(drill: MandateDrill): Promise<string[]> {
  const { debits, recurrences, codes } = await askBank(drill)
  drill.counts.issued = debits.filter(({ status }) => status === "CONCLUIDA").length
  return [
    ...auditRecurrences(recurrences),
    ...(await auditJourneys(drill, recurrences, codes)),
    ...(await auditDebits(drill, debits)),
    ...(await auditCycles(drill)),
    ...(await auditMoney(drill)),
  ]
}

/** One live authorisation of a contract. */
function auditRecurrences(recurrences: RecurrenceAtBank[]): string[] {
  const live = recurrences.filter(({ status }) => status === "APROVADA" || status === "CRIADA")
  const contracts = Map.groupBy(live, ({ vinculo }) => vinculo.contrato)
  return [...contracts].flatMap(([contract, { length }]) => (length === 1 ? [] : [`${contract} lives ${length} times`]))
}

/** The way that the bank saw; the money of the code that was paid with it came once, and its cycle was never debited. */
async function auditJourneys(
  { installation, authorised, today }: MandateDrill,
  recurrences: RecurrenceAtBank[],
  codes: Record<3 | 4, ChargeAtBank[]>,
): Promise<string[]> {
  const given = await query<{ contract: string; journey: 2 | 3 | 4; txid: string | null; isDebited: boolean }>(
    installation.databaseUrl,
    `select contract, journey, first_txid as txid, exists (
       select from charges charge join invoices invoice on invoice.page_id = charge.page_id
       join debits on debits.invoice_id = invoice.id where charge.txid = first_txid
     ) as "isDebited" from mandates where approved_at is not null`,
  )
  const seen = new Map(recurrences.map(({ vinculo, ativacao }) => [vinculo.contrato, ativacao.tipoJornada]))
  const problems = given.flatMap(({ contract, journey, txid, isDebited }) => {
    const isAsSeen = seen.get(contract) === `JORNADA_${journey}`
    const code = journey === 2 ? undefined : codes[journey].find((each) => each.txid === txid)
    const isPaidOnce = journey === 2 ? txid === null : code?.status === "CONCLUIDA" && code.pix?.length === 1
    if (isAsSeen && isPaidOnce && !isDebited) return []
    return [`${contract} by ${journey} was ${seen.get(contract)}, ${code?.status} ${code?.pix?.length}, ${isDebited}`]
  })
  const asked = authorised.filter(({ askOn }) => plus(askOn, 7) <= today)
  const missing = [2, 3, 4].filter(
    (way) => asked.some(({ journey }) => journey === way) && !given.some(({ journey }) => journey === way),
  )
  return [...problems, ...missing.map((way) => `nobody has authorised by journey ${way}`)]
}

/** Each cycle once, with the agreed amount; none after it was called off; each centavo in the books. */
async function auditDebits(drill: MandateDrill, debits: AtBank[]): Promise<string[]> {
  const { databaseUrl } = drill.installation
  const ours = await query<{ recurrence_id: string; subscription_id: string }>(
    databaseUrl,
    "select recurrence_id, subscription_id from mandates where recurrence_id is not null",
  )
  const subscriptionOf = new Map(ours.map((row) => [row.recurrence_id, row.subscription_id]))
  const amounts = new Map(drill.authorised.map(({ id, amountCents }) => [id, amountCents]))
  const booked = await query<{ id: string; cents: string }>(
    databaseUrl,
    "select end_to_end_id as id, amount_cents::text as cents from payments where disposition = 'credited'",
  )
  const centsOf = new Map(booked.map(({ id, cents }) => [id, cents]))
  const cents = (valor: string) => valor.replace(".", "").replace(/^0+/, "")
  const paid = new Map<string, number>()
  const problems: string[] = []
  for (const { txid, idRec, status, calendario, valor, pix = [] } of debits) {
    const subscription = subscriptionOf.get(idRec) ?? "nobody"
    if (cents(valor.original) !== String(amounts.get(subscription))) problems.push(`${txid} asked ${valor.original}`)
    if (pix.length > 0 && (status !== "CONCLUIDA" || drill.calledOff.has(txid))) {
      problems.push(`${txid} is ${status}, called off or not, and was paid`)
    }
    for (const { endToEndId, valor: received } of pix) {
      const cycle = `${subscription} ${calendario.dataDeVencimento}`
      paid.set(cycle, (paid.get(cycle) ?? 0) + 1)
      if (centsOf.get(endToEndId) !== cents(received)) problems.push(`${endToEndId} of ${txid} is not in the books`)
    }
  }
  return [
    ...problems,
    ...[...paid].flatMap(([cycle, times]) => (times === 1 ? [] : [`${cycle} debited ${times} times`])),
  ]
}

async function auditCycles({ installation, authorised, today }: MandateDrill): Promise<string[]> {
  const rows = await query<{ id: string; day: string }>(
    installation.databaseUrl,
    "select subscription_id as id, due_day::text as day from subscription_cycles order by 2",
  )
  const left = await query<{ id: string; day: string }>(
    installation.databaseUrl,
    `select invoice.subscription_id as id, due_day::text as day from invoices invoice
     join mandates mandate on mandate.subscription_id = invoice.subscription_id and mandate.status = 'approved'
     where invoice.due_day >= mandate.starts_on and invoice.due_day < $1::date and invoice.status <> 'paid'
       and not exists (select from debits where debits.invoice_id = invoice.id)`,
    [today],
  )
  const unasked = left.map(({ id, day }) => `${id} was never debited on ${day}`)
  const charged = authorised.flatMap((each) => {
    const is = rows.flatMap(({ id, day }) => (id === each.id ? [day] : [])).join(" ")
    const expected = cyclesOf(each, today).join(" ")
    return is === expected ? [] : [`${each.id} charged ${is}, not ${expected}`]
  })
  return [...unasked, ...charged]
}

/** Nobody paid a cycle twice, by link and by debit, and nothing waits for a person. */
async function auditMoney({ installation }: MandateDrill): Promise<string[]> {
  const twice = await query<{ id: string; count: string }>(
    installation.databaseUrl,
    `select invoice_id as id, count(*) from invoice_payments group by 1 having count(*) > 1`,
  )
  const waiting = await query<object>(
    installation.databaseUrl,
    "select to_jsonb(waiting) as row from unmatched_payments waiting",
  )
  return [
    ...twice.map(({ id, count }) => `the invoice ${id} was paid ${count} times`),
    ...waiting.map((row) => `a payment waits for a person: ${JSON.stringify(row)}`),
  ]
}
