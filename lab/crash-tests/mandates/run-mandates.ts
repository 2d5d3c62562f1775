import { setTimeout as sleep } from "node:timers/promises"
import { query } from "../embedded-books.ts"
import { beginTrouble, contactFaults } from "../exchanges/bank-trouble.ts"
import { openInstallation } from "../installation.ts"
import { cpfOf, cyclesUntil, plus } from "../receivables/reckoning.ts"
import { begin, call, closeBooks, type Drill, killANode, moveTo, runJobs } from "../receivables/run-receivables.ts"
import { createPix, expectStatus, payAtBank, send, sendJson } from "../shop.ts"
import { auditMandates } from "./audit-mandates.ts"

interface Wishes {
  seed: number
  days: number
  mandates: number
  kills: number
}

const journeys = [2, 3, 4] as const

/** A subscription whose customer is asked for an authorisation in this journey. */
interface Authorised {
  id: string
  journey: (typeof journeys)[number]
  firstDueDate: string
  amountCents: number
  mandateId: string | null
  askOn: string
  /** The day on which the customer cancels at the bank; null for never. */
  cancelOn: string | null
}

export interface MandateDrill extends Drill {
  authorised: Authorised[]
  /** Debits that were called off in time, by txid. */
  calledOff: Set<string>
  /** Payments of today by a code. */
  paidToday: string[]
}

/** With the troubles of a payer's account; whatever the bank gets wrong about money is another drill's. */
const faults = { ...contactFaults, "sem-saldo": { probabilidade: 0.08 }, "falha-operacional": { probabilidade: 0.02 } }

/** Months pass in minutes: authorisations, their debits and what payers and sellers do about them, while nodes are killed. */
export async function runMandates(wishes: Wishes): Promise<Pick<Drill, "problems" | "counts">> {
  const installation = await openInstallation()
  try {
    const own = { authorised: [], calledOff: new Set<string>(), paidToday: [] }
    const drill: MandateDrill = { ...(await begin(installation, wishes)), ...own }
    await switchOn(drill)
    await makeAll(drill, wishes)
    await beginTrouble(drill, wishes.seed, faults)
    for (let ahead = 1; ahead <= wishes.days; ahead += 1) {
      await liveADay(drill, ahead, wishes)
      if (ahead % 25 === 0 || ahead === wishes.days) await closeBooks(drill, wishes, { faults, audit: auditMandates })
    }
    for (const node of drill.nodes) node.kill("SIGTERM")
    await Promise.all(drill.nodes.map((node) => node.exited))
    const { code, output } = await installation.verify()
    if (code !== 0) drill.problems.push(output)
    return drill
  } finally {
    await installation.close()
  }
}

async function switchOn({ nodes, admin, token }: Drill): Promise<void> {
  const url = `${nodes[0]?.url}/api/v1`
  const headers = { authorization: `Bearer ${admin}` }
  expectStatus(await sendJson(`${url}/settings/initialize`, "POST", {}, headers), 200)
  for (const [key, value] of [
    ["LEGAL_NAME", "Plataforma de Testes LTDA"],
    ["LEGAL_CNPJ", "11222333000181"],
    ["AUTOMATIC_PIX", true],
  ]) {
    expectStatus(await sendJson(`${url}/settings/${key}`, "PATCH", { value }, headers), 200)
  }
  const me = expectStatus(await send(`${url}/users/me`, { headers: { authorization: `Bearer ${token}` } }), 200)
  const { user } = me.data as { user: { _id: string } }
  const allowed = { enabled: true, reason: "Ensaio de meses" }
  expectStatus(await sendJson(`${url}/admin/users/${user._id}/automatic-pix`, "PATCH", allowed, headers), 200)
}

async function makeAll(drill: MandateDrill, { mandates, days }: Wishes): Promise<void> {
  const { chance, today } = drill
  for (let index = 0; index < mandates; index += 1) {
    const customer = { name: `Cliente ${index}`, document: cpfOf(index), email: `cliente-${index}@exemplo.com.br` }
    const { customer: made } = await call(drill, "POST", "/api/v1/customers", customer)
    const { _id: customerId } = made as { _id: string }
    const firstDueDate = plus(today, 12 + chance.between(0, 27))
    const amountCents = chance.between(1_000, 200_000)
    const terms = { amount: amountCents / 100, daysAfterDue: 10, fine: null, interest: null }
    const body = { customerId, title: "Plano", period: "monthly", firstDueDate, leadDays: 10, ...terms }
    const { subscription } = await call(drill, "POST", "/api/v1/subscriptions", body, `subscription-${index}`)
    const { _id: id } = subscription as { _id: string }
    const journey = journeys[index % journeys.length] ?? 2
    // The other ways pay the first cycle, which must be there, and may be early enough to be debited.
    const askOn = journey === 2 ? plus(today, 1) : plus(firstDueDate, -chance.between(4, 9))
    const cancelOn = chance.between(0, 9) === 0 ? plus(firstDueDate, chance.between(20, Math.max(21, days - 30))) : null
    drill.authorised.push({ id, journey, firstDueDate, amountCents, mandateId: null, askOn, cancelOn })
  }
}

async function liveADay(drill: MandateDrill, ahead: number, { days, kills }: Wishes): Promise<void> {
  await moveTo(drill, ahead)
  const isKilled = Math.floor((ahead * kills) / days) > Math.floor(((ahead - 1) * kills) / days)
  const running = runJobs(drill, ["issue-cycles", "ask-about-mandates", "plan-debits", "run-debits", "expire-invoices"])
  await Promise.all([running, isKilled ? killANode(drill) : Promise.resolve()])
  await untilSettled(drill)
  for (const each of drill.authorised) await actOn(drill, each)
  await untilBooked(drill)
}

/** No day begins before the money of the one before is in the books: nobody pays again what they paid a second ago. */
async function untilBooked({ installation, paidToday, problems, today }: MandateDrill): Promise<void> {
  const ids = paidToday.splice(0)
  for (let tries = 0; tries < 300; tries += 1) {
    const [row] = await query<{ count: string }>(
      installation.databaseUrl,
      "select count(*) from payments where end_to_end_id = any($1)",
      [ids],
    )
    if (row?.count === String(ids.length)) return
    await sleep(100)
  }
  problems.push(`${today}: money was not booked`)
}

/** A call that the bank didn't answer is repeated after a minute, which is more than a day of this drill. */
async function hurry({ installation }: Drill): Promise<void> {
  await query(installation.databaseUrl, "update debits set ask_at = now() where ended_at is null")
  await query(
    installation.databaseUrl,
    "update mandates set ask_at = now() where recurrence_id is not null and status in ('waiting', 'approved')",
  )
}

const unsettled = `select (select count(*) from subscriptions
    where status in ('active', 'past_due') and next_issue_day <= $1::date) +
  (select count(*) from debits where ended_at is null and ((cancel_since is not null and is_sent)
    or (not is_sent and cancel_since is null and due_day <= $1::date + 6)
    or (status in ('created', 'scheduled') and retry_day is null and due_day < $1::date - 4)
    or (status = 'failed' and retry_day <= $1::date))) as count`

async function untilSettled(drill: MandateDrill): Promise<void> {
  await hurry(drill)
  await runJobs(drill, ["plan-debits", "run-debits", "ask-about-mandates"])
  for (let tries = 0; tries < 100; tries += 1) {
    const [row] = await query<{ count: string }>(drill.installation.databaseUrl, unsettled, [drill.today])
    if (row?.count === "0") return
    await hurry(drill)
    await runJobs(drill, ["issue-cycles", "plan-debits", "run-debits", "ask-about-mandates"])
    await sleep(200)
  }
  drill.problems.push(`${drill.today}: debits or cycles were not settled`)
}

async function actOn(drill: MandateDrill, each: Authorised): Promise<void> {
  const { today, chance, installation } = drill
  // A customer that has just paid with the authorisation does not pay by the link, too.
  if (each.mandateId === null && today >= each.askOn) return authorise(drill, each)
  if (each.cancelOn !== null && today >= each.cancelOn) {
    const [mandate] = await query<{ recurrence_id: string }>(
      installation.databaseUrl,
      "select recurrence_id from mandates where subscription_id = $1 and status = 'approved'",
      [each.id],
    )
    each.cancelOn = null
    if (mandate === undefined) return
    const path = `/simulador/api/recorrencias/${mandate.recurrence_id}/cancelar`
    expectStatus(await sendJson(installation.bankUrl + path, "POST", {}), 200)
    drill.counts.cancellations += 1
  }
  const chosen = chance.between(0, 199)
  if (chosen === 0) await callOff(drill, each)
  // The first cycle is kept for those who pay it with the authorisation.
  if (chosen === 1 && (each.mandateId !== null || each.journey === 2)) await payEarly(drill, each)
}

/** Asks for the authorisation and gives it, unless the bank was in the way: then tomorrow. */
async function authorise(drill: MandateDrill, each: Authorised): Promise<void> {
  const path = `/api/v1/subscriptions/${each.id}/mandate`
  const body = { journey: each.journey }
  const asked = await call(drill, "POST", path, body, `mandate-${each.id}-${drill.today}`).catch(() => null)
  if (asked === null) return
  const { mandate } = asked as { mandate: { _id: string } }
  for (let tries = 0; tries < 40; tries += 1) {
    const [row] = await query<{ pix_code: string | null; status: string }>(
      drill.installation.databaseUrl,
      "select pix_code, status from mandates where id = $1",
      [mandate._id],
    )
    if (row?.pix_code) {
      if (!(await payCode(drill, row.pix_code)))
        drill.problems.push(`${drill.today}: ${each.id} could not be authorised`)
      each.mandateId = mandate._id
      return
    }
    await query(
      drill.installation.databaseUrl,
      "update mandates set ask_at = now(), missed_at = missed_at - interval '2 minutes' where id = $1",
      [mandate._id],
    )
    await runJobs(drill, ["ask-about-mandates"])
    await sleep(100)
  }
  drill.problems.push(`${drill.today}: ${each.id} got no code`)
}

/** The seller calls a debit off two days before it is due; the money must never come. */
async function callOff(drill: MandateDrill, { id }: Authorised): Promise<void> {
  const [debit] = await query<{ id: string; txid: string }>(
    drill.installation.databaseUrl,
    `select debit.id, debit.txid from debits debit join mandates on mandates.id = debit.mandate_id
     where subscription_id = $1 and debit.ended_at is null and debit.retry_day is null and debit.due_day >= $2::date + 2`,
    [id, drill.today],
  )
  if (debit === undefined) return
  await call(drill, "PATCH", `/api/v1/debits/${debit.id}/cancel`, {}).then(
    () => drill.calledOff.add(debit.txid),
    () => undefined,
  )
}

/** The customer pays an open cycle by its link, also one whose debit is on its way. */
async function payEarly(drill: MandateDrill, { id }: Authorised): Promise<void> {
  const [invoice] = await query<{ page_id: string }>(
    drill.installation.databaseUrl,
    "select page_id from invoices where subscription_id = $1 and status = 'open' and due_day >= $2::date + 2 limit 1",
    [id, drill.today],
  )
  if (invoice === undefined) return
  const shop = { token: drill.token, email: "", pageId: invoice.page_id, uniqueLink: "" }
  const code = await createPix(drill.nodes[0]?.url ?? "", shop).catch(() => null)
  if (code !== null) await payCode(drill, code.pixCode)
}

/** False where the bank refuses it. A code that only authorises has no money. */
async function payCode({ installation, counts, paidToday }: MandateDrill, pixCode: string): Promise<boolean> {
  const { status, body } = await payAtBank(installation.bankUrl, pixCode)
  if (status !== 201) return false
  const { endToEndId } = body
  if (typeof endToEndId === "string") {
    paidToday.push(endToEndId)
    counts.payments += 1
  }
  return true
}

export const cyclesOf = ({ firstDueDate }: Authorised, today: string) =>
  cyclesUntil(firstDueDate, "monthly", plus(today, 10))
