import { setTimeout as sleep } from "node:timers/promises"
import { createChance } from "../chance.ts"
import { query } from "../embedded-books.ts"
import { report } from "../eventually.ts"
import { beginTrouble, contactFaults, endTrouble } from "../exchanges/bank-trouble.ts"
import { closeTheDay } from "../exchanges/settle-market.ts"
import { type Installation, logInAsAdmin, openInstallation } from "../installation.ts"
import type { ServerProcess } from "../server-process.ts"
import { createPix, expectStatus, openShop, payAtBank, send, sendJson, untilNotBusy } from "../shop.ts"
import { auditReceivables } from "./audit-receivables.ts"
import { type Agreed, cpfOf, lastDayOf, owedOn, plus, reminderDaysOf } from "./reckoning.ts"

interface Wishes {
  seed: number
  days: number
  customers: number
  invoices: number
  subscriptions: number
  kills: number
}

/** An invoice as the drill knows it: asked by hand, or issued of a subscription. */
interface Known {
  id: string
  mode: "daily" | "bank"
  agreed: Agreed
  subscriptionId: string | null
  payOn: string | null
  cancelOn: string | null
  editOn: string | null
  link: string
  paid: { day: string; cents: number } | null
  isOver: boolean
  /** Days on which it was still to be paid in the morning, and a reminder is due. */
  reminded: string[]
}

interface Subscribed {
  id: string
  firstDueDate: string
  period: "weekly" | "monthly" | "quarterly"
  agreed: Omit<Agreed, "dueDay">
}

export interface Drill {
  installation: Installation
  nodes: ServerProcess[]
  token: string
  admin: string
  firstDay: string
  today: string
  chance: ReturnType<typeof createChance>
  known: Map<string, Known>
  subscriptions: Map<string, Subscribed>
  problems: string[]
  counts: {
    kills: number
    payments: number
    edits: number
    cancellations: number
    reminders: number
    issued: number
    closes: number
    faults: number
  }
}

/** A day waits as long for what must happen on it: a bank without an answer, a killed node and a busy machine take their time. */
const patienceMs = 120_000

/** Months pass in minutes, by the sandbox's clock, while nodes are killed: every cycle, amount and reminder is audited. */
export async function runReceivables(wishes: Wishes): Promise<Pick<Drill, "problems" | "counts">> {
  const installation = await openInstallation()
  try {
    const drill = await begin(installation, wishes)
    await makeAll(drill, wishes)
    await beginTrouble(drill, wishes.seed, contactFaults)
    for (let ahead = 1; ahead <= wishes.days; ahead += 1) {
      await liveADay(drill, ahead, wishes)
      if (ahead % 25 === 0 || ahead === wishes.days) await closeBooks(drill, wishes)
    }
    drill.problems.push(...(await auditReceivables(drill)))
    for (const node of drill.nodes) node.kill("SIGTERM")
    await Promise.all(drill.nodes.map((node) => node.exited))
    const { code, output } = await installation.verify()
    if (code !== 0) drill.problems.push(output)
    return drill
  } finally {
    await installation.close()
  }
}

/** A node that is stopped must hold no lock. */
const cutOff =
  "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'tilinta%' and state <> 'idle'"

/** Every day so far against the bank's list, as the job of the next night does; an audit may follow, while the bank has no trouble. */
export async function closeBooks<Lived extends Drill>(
  drill: Lived,
  { seed }: Pick<Wishes, "seed">,
  { faults = contactFaults, audit }: { faults?: typeof contactFaults; audit?(drill: Lived): Promise<string[]> } = {},
): Promise<void> {
  const hits = await endTrouble(drill)
  for (const count of hits.values()) drill.counts.faults += count
  const night = new Date(Date.parse(`${plus(drill.today, 1)}T03:00:01-03:00`))
  // Their own job takes days that end months ahead for days that were closed too early, and opens them as fast as we close them.
  for (const node of drill.nodes) node.kill("SIGSTOP")
  await query(drill.installation.databaseUrl, cutOff)
  const differences = await closeTheDay(drill, { now: () => night }).finally(() => {
    for (const node of drill.nodes) node.kill("SIGCONT")
  })
  drill.problems.push(...differences.map((difference) => `${drill.today}: ${difference}`))
  drill.problems = [...new Set([...drill.problems, ...((await audit?.(drill)) ?? [])])]
  drill.counts.closes += 1
  report(
    `${drill.today}: ${JSON.stringify(drill.counts)}, ${drill.problems.length} problems ${drill.problems.join("; ")}`,
  )
  await beginTrouble(drill, seed + drill.counts.closes, faults)
}

const saoPauloDay = (moment: Date) => new Intl.DateTimeFormat("sv-SE", { timeZone: "America/Sao_Paulo" }).format(moment)

export async function begin(installation: Installation, { seed }: Pick<Wishes, "seed">): Promise<Drill> {
  const nodes = [await installation.startNode(), await installation.startNode()]
  const url = nodes[0]?.url ?? ""
  const { token } = await openShop(url)
  const firstDay = saoPauloDay(new Date())
  const drill: Drill = {
    ...{ installation, nodes, token, firstDay, today: firstDay, chance: createChance(seed) },
    admin: await logInAsAdmin(url),
    known: new Map(),
    subscriptions: new Map(),
    problems: [],
    counts: { kills: 0, payments: 0, edits: 0, cancellations: 0, reminders: 0, issued: 0, closes: 0, faults: 0 },
  }
  await moveTo(drill, 0)
  // An invoice is made on a true day, which no sandbox moves: its first reminder is another test's.
  const steps = { created: { enabled: false } }
  await call(drill, "PATCH", "/api/v1/users/me/reminders", { enabled: true, steps })
  return drill
}

/** On any node that answers: requests that a kill cut off are repeated under the same key. */
export async function call(drill: Drill, method: "POST" | "PATCH", path: string, body: object, key?: string) {
  const headers = { authorization: `Bearer ${drill.token}`, ...(key !== undefined && { "idempotency-key": key }) }
  for (let tries = 0; ; tries += 1) {
    const node = drill.nodes[tries % drill.nodes.length]
    try {
      const answer = await untilNotBusy(() => sendJson(`${node?.url}${path}`, method, body, headers))
      return expectStatus(answer, method === "POST" ? 201 : 200).data as Record<string, unknown>
    } catch (error) {
      if (tries >= 20 || (error instanceof Error && /answered 4\d\d/.test(error.message))) throw error
      await sleep(500)
    }
  }
}

async function makeAll(drill: Drill, { customers, invoices, subscriptions, days }: Wishes): Promise<void> {
  const { chance, today } = drill
  const ids: string[] = []
  for (let index = 0; index < customers; index += 1) {
    const customer = { name: `Cliente ${index}`, document: cpfOf(index), email: `cliente-${index}@exemplo.com.br` }
    const { customer: made } = await call(drill, "POST", "/api/v1/customers", customer)
    ids.push((made as { _id: string })._id)
  }
  const someone = () => ids[chance.between(0, ids.length - 1)] ?? ""
  for (let index = 0; index < invoices; index += 1) {
    const dueDay = plus(today, 5 + chance.between(0, Math.max(1, days - 5)))
    const agreed: Agreed = { ...someTerms(drill), dueDay }
    agreed.discount = chance.between(0, 3) === 0 ? { cents: 50, until: plus(dueDay, -chance.between(0, 4)) } : null
    const mode = index % 2 === 0 ? "bank" : "daily"
    const { discount } = agreed
    const discounts = discount === null ? [] : [{ type: "fixed", value: discount.cents / 100, until: discount.until }]
    const body = { customerId: someone(), ...sentTerms(agreed), dueDate: dueDay, discounts, mode }
    const { invoice } = await call(drill, "POST", "/api/v1/invoices", body, `invoice-${index}`)
    remember(drill, { ...(invoice as { _id: string; link: string }), mode, agreed, subscriptionId: null })
  }
  const periods = ["weekly", "monthly", "monthly", "quarterly"] as const
  for (let index = 0; index < subscriptions; index += 1) {
    const period = periods[index % periods.length] ?? "monthly"
    const firstDueDate = plus(today, 12 + chance.between(0, 20))
    const agreed = someTerms(drill)
    const body = { customerId: someone(), title: "Plano", period, firstDueDate, leadDays: 6, ...sentTerms(agreed) }
    const { subscription } = await call(drill, "POST", "/api/v1/subscriptions", body, `subscription-${index}`)
    const { _id: id } = subscription as { _id: string }
    drill.subscriptions.set(id, { id, firstDueDate, period, agreed })
  }
}

function someTerms({ chance }: Drill): Omit<Agreed, "dueDay"> {
  return {
    amountCents: chance.between(1_000, 200_000),
    daysAfterDue: chance.between(0, 40),
    fine: chance.between(0, 2) * 100,
    monthlyInterest: chance.between(0, 1) * 100,
    discount: null,
  }
}

function sentTerms({ amountCents, daysAfterDue, fine, monthlyInterest }: Omit<Agreed, "dueDay">) {
  return {
    amount: amountCents / 100,
    daysAfterDue,
    fine: fine === 0 ? null : { type: "percent", value: fine / 100 },
    interest: monthlyInterest === 0 ? null : { type: "percentMonth", value: monthlyInterest / 100 },
  }
}

type Made = Pick<Known, "mode" | "agreed" | "subscriptionId"> & { _id: string; link: string }

/** Decides what becomes of it: paid early or late, edited first, cancelled, or nothing. */
function remember({ chance, known, today }: Drill, { _id: id, ...made }: Made): void {
  const { dueDay } = made.agreed
  const lastDay = lastDayOf(made.agreed)
  const wanted = plus(dueDay, chance.between(-4, 20))
  const fate = chance.between(0, 99)
  const payOn = fate < 80 ? ([plus(today, 1), wanted, lastDay].toSorted()[1] ?? null) : null
  const cancelOn = fate >= 95 ? dueDay : null
  const editOn = fate % 10 === 0 && payOn !== null && plus(payOn, -1) > today ? plus(payOn, -1) : null
  known.set(id, { ...made, id, payOn, cancelOn, editOn, paid: null, isOver: false, reminded: [] })
}

/** Ten in the morning of São Paulo, when reminders go, so many days after the first one, which begins now. */
export async function moveTo(drill: Drill, ahead: number): Promise<void> {
  drill.today = plus(drill.firstDay, ahead)
  const ten = Date.parse(`${drill.today}T10:00:00-03:00`)
  const adiantadoMs = Math.max(0, ten - Date.now())
  const change = () => sendJson(`${drill.installation.bankUrl}/simulador/api/controle/relogio`, "PUT", { adiantadoMs })
  expectStatus(await change(), 200)
  for (const { url } of drill.nodes) await untilTheDayIs(drill, url)
}

async function untilTheDayIs({ token, today }: Drill, url: string): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await send(`${url}/api/v1/invoices?limit=1`, { headers }).catch(() => null)
    const data = answer?.body.data as { summary: { day: string } } | undefined
    if (data?.summary.day === today) return
    await sleep(100)
  }
  throw new Error(`a node never came to ${today}`)
}

export async function runJobs({ nodes, admin }: Drill, names: readonly string[]): Promise<void> {
  const headers = { authorization: `Bearer ${admin}` }
  const runs = nodes.flatMap(({ url }) => names.map((name) => `${url}/api/v1/admin/system/jobs/${name}/run`))
  await Promise.all(runs.map((run) => sendJson(run, "POST", {}, headers).catch(() => null)))
}

async function liveADay(drill: Drill, ahead: number, { days, kills }: Wishes): Promise<void> {
  await moveTo(drill, ahead)
  const isKilled = Math.floor((ahead * kills) / days) > Math.floor(((ahead - 1) * kills) / days)
  const running = runJobs(drill, ["expire-invoices", "issue-cycles", "send-reminders", "settle-subscriptions"])
  const replaced = isKilled ? killANode(drill) : Promise.resolve()
  await Promise.all([running, replaced])
  // A call that the bank didn't answer is repeated after 45 seconds, which are more than a day of this drill.
  await query(drill.installation.databaseUrl, "update invoices set bank_ask_at = now() where bank_ask_at > now()")
  await untilIssued(drill)
  await untilReminded(drill)
  const open = [...drill.known.values()].filter(({ paid, isOver }) => paid === null && !isOver)
  for (const invoice of open) await actOn(drill, invoice)
  await untilBooked(drill)
}

export async function killANode(drill: Drill): Promise<void> {
  const [first, second] = drill.nodes
  await sleep(drill.chance.between(0, 60))
  if (drill.counts.kills % 4 === 3) await drill.installation.killDatabase()
  first?.kill("SIGKILL")
  await first?.exited
  drill.counts.kills += 1
  const fresh = await drill.installation.startNode()
  drill.nodes = second === undefined ? [fresh] : [second, fresh]
  await untilTheDayIs(drill, fresh.url)
}

interface Issued {
  id: string
  subscription_id: string
  due_day: string
  link: string
}

const issued = `select id, subscription_id, due_day::text, unique_link as link from invoices
  where subscription_id is not null`

/** Asks until it is so; what isn't in time is a problem of the day. */
async function until(drill: Drill, problem: string, isSo: (tries: number) => Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + patienceMs
  for (let tries = 0; Date.now() < giveUpAt; tries += 1) {
    if (await isSo(tries)) return
    await sleep(100)
  }
  drill.problems.push(`${drill.today}: ${problem}`)
}

/** Cycles that are due in six days have their invoice. */
async function untilIssued(drill: Drill): Promise<void> {
  await until(drill, "a cycle was not issued", async () => {
    const rows = await query<Issued>(drill.installation.databaseUrl, issued)
    for (const row of rows.filter(({ id }) => !drill.known.has(id))) {
      const agreed = drill.subscriptions.get(row.subscription_id)?.agreed
      if (agreed === undefined) continue
      const made = { _id: row.id, link: row.link, subscriptionId: row.subscription_id }
      remember(drill, { ...made, mode: "daily", agreed: { ...agreed, dueDay: row.due_day } })
      drill.counts.issued += 1
    }
    const [late] = await query<{ count: string }>(
      drill.installation.databaseUrl,
      "select count(*) from subscriptions where status in ('active', 'past_due') and next_issue_day <= $1::date",
      [drill.today],
    )
    if (late?.count === "0") return true
    await runJobs(drill, ["issue-cycles"])
    return false
  })
}

/** Each open invoice whose step is today has its reminder, and the mail is on its way: what is paid first is not reminded of. */
async function untilReminded(drill: Drill): Promise<void> {
  const { today } = drill
  const due = [...drill.known.values()].filter(
    ({ paid, isOver, agreed }) =>
      paid === null && !isOver && today <= lastDayOf(agreed) && reminderDaysOf(agreed).has(today),
  )
  for (const invoice of due) invoice.reminded.push(today)
  const wanted = due.map(({ id }) => id)
  drill.counts.reminders += wanted.length
  await until(drill, "a reminder was not sent", async (tries) => {
    const rows = await query<{ invoice_id: string }>(
      drill.installation.databaseUrl,
      "select invoice_id from reminders where day = $1::date and invoice_id = any($2::uuid[]) and status = 'sent'",
      [today, wanted],
    )
    if (rows.length >= wanted.length) return true
    if (tries % 10 === 9) await runJobs(drill, ["send-reminders"])
    return false
  })
}

async function actOn(drill: Drill, invoice: Known): Promise<void> {
  const { today, counts } = drill
  if (today > lastDayOf(invoice.agreed)) {
    invoice.isOver = true
    return
  }
  if (invoice.cancelOn !== null && today >= invoice.cancelOn) {
    await call(drill, "PATCH", `/api/v1/invoices/${invoice.id}/cancel`, {}).catch(() => undefined)
    invoice.isOver = true
    counts.cancellations += 1
    return
  }
  if (invoice.editOn !== null && today >= invoice.editOn) {
    const amountCents = invoice.agreed.amountCents + 111
    await call(drill, "PATCH", `/api/v1/invoices/${invoice.id}`, { amount: amountCents / 100 })
    invoice.agreed = { ...invoice.agreed, amountCents }
    invoice.editOn = null
    counts.edits += 1
  }
  if (invoice.payOn !== null && today >= invoice.payOn) await payInvoice(drill, invoice)
}

async function payInvoice(drill: Drill, invoice: Known): Promise<void> {
  const { installation, today, counts } = drill
  const giveUpAt = Date.now() + patienceMs
  for (let tries = 0; Date.now() < giveUpAt; tries += 1) {
    const node = drill.nodes[tries % drill.nodes.length]?.url ?? ""
    const code = await codeOf(drill, node, invoice).catch(() => null)
    const answer = code === null ? null : await payAtBank(installation.bankUrl, code)
    if (answer?.status === 201) {
      invoice.paid = { day: today, cents: Math.round(Number(answer.body.valor) * 100) }
      const owed = owedOn(invoice.agreed, today)
      if (invoice.paid.cents !== owed) {
        drill.problems.push(`${today} ${invoice.mode} ${invoice.id}: the bank asked ${invoice.paid.cents}, not ${owed}`)
      }
      counts.payments += 1
      return
    }
    await sleep(250)
  }
  drill.problems.push(`${today}: ${invoice.mode} ${invoice.id} could not be paid`)
}

/** The code of its whole life, or that of today through its link. */
async function codeOf({ token, installation }: Drill, node: string, { id, mode, link }: Known): Promise<string | null> {
  if (mode === "bank") {
    // An edit that the bank doesn't know yet asks the former amount.
    const [row] = await query<{ isKnown: boolean }>(
      installation.databaseUrl,
      `select bank_revision = revision as "isKnown" from invoices where id = $1`,
      [id],
    )
    if (row?.isKnown !== true) return null
    const headers = { authorization: `Bearer ${token}` }
    const answer = expectStatus(await send(`${node}/api/v1/invoices/${id}`, { headers }), 200)
    return (answer.data as { invoice: { pixCode: string | null } }).invoice.pixCode
  }
  const page = expectStatus(await send(`${node}/api/v1/checkout/pages/${link.split("/").at(-1)}`), 200)
  const { _id: pageId } = (page.data as { checkoutPage: { _id: string } }).checkoutPage
  return (await createPix(node, { token, email: "", pageId, uniqueLink: "" })).pixCode
}

/** No day begins before the money of the one before is in the books. */
async function untilBooked(drill: Drill): Promise<void> {
  const { installation, known, today } = drill
  const paid = [...known.values()].flatMap(({ id, paid }) => (paid?.day === today ? [id] : []))
  await until(drill, "money was not booked", async () => {
    const [row] = await query<{ count: string }>(
      installation.databaseUrl,
      "select count(*) from invoices where id = any($1::uuid[]) and status <> 'paid'",
      [paid],
    )
    return row?.count === "0"
  })
}
