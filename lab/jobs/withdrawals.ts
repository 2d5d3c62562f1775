import { setTimeout as sleep } from "node:timers/promises"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { createPool, lookupSettings } from "../../server/src/db/pools.ts"
import { createDb } from "../../server/src/db/transaction.ts"
import { systemClock } from "../../server/src/kit/clock.ts"
import { DomainError } from "../../server/src/kit/errors.ts"
import { newId } from "../../server/src/kit/ids.ts"
import { hashOfToken, newToken } from "../../server/src/kit/secrets.ts"
import { requestWithdrawal, type WithdrawalInput } from "../../server/src/money/withdrawals/request.ts"
import "../../server/test-support/order-keys.ts"
import { numberOf } from "../kit/arguments.ts"
import { type Job, type Row, shownOnly } from "../kit/job.ts"
import { type Market, openMarket } from "../kit/market.ts"
import { pgbench } from "../kit/pgbench.ts"
import { postgresCpuSeconds } from "../kit/process-figures.ts"
import { closedLoop, rawRequest } from "../kit/raw-http.ts"
import { signSessions } from "../kit/sign-sessions.ts"
import { withdrawalForUpdate } from "../kit/withdrawal.ts"
import { median } from "../timings.ts"

type RequestWithdrawal = (input: WithdrawalInput) => Promise<unknown>

/** As many at once as pgbench has clients: more only wait for the same balance, and are shed. */
const clients = 16
const sellers = 1_000
/** Upper bound for the withdrawals of one pgbench client per second. */
const mostOfClient = 2_000
const cents = 100 as Cents
/** Enough that no balance runs out during a measurement. */
const richCents = 1_000_000_000_000
const halfRichCents = 100_000

interface Range {
  first: number
  last: number
}

/** One seller each for the product and for pgbench (contention), and all others (no contention). */
const hot: Range = { first: 0, last: 0 }
const pgbenchHot: Range = { first: 1, last: 1 }
const spread: Range = { first: 10, last: sellers - 2 }
const admin = sellers - 1
const halfRich = 5

interface Figures {
  perSecond: number
  nodeUs: number
  postgresUs: number
}

/** Arguments: `rounds=`, `seconds=` per run. */
export const job: Job = {
  title: "Withdrawals",
  async run(args) {
    const rounds = numberOf(args, "rounds", 3)
    const seconds = numberOf(args, "seconds", 5)
    const market = await openMarket({ sellers, charges: 0 })
    const settings = lookupSettings
    const pool = createPool({ url: market.databaseUrl, max: 12, applicationName: "bench", settings })
    try {
      await enrich(market)
      const db = createDb(pool)
      const ask: RequestWithdrawal = (input) => requestWithdrawal({ db, clock: systemClock }, input)
      const server = await market.startServer()
      const port = Number(new URL(server.url).port)
      const runs: Record<string, Figures[]> = {}
      const note = (name: string, figures: Figures) => (runs[name] ??= []).push(figures)
      for (let round = 0; round < rounds; round += 1) {
        const base = (round * 2 * clients + 1) * mostOfClient * seconds
        note("hot", await byVerb(market, ask, hot, seconds))
        note("pgbenchHot", await byPgbench(market, pgbenchHot, seconds, base))
        note("spread", await byVerb(market, ask, spread, seconds))
        note("pgbenchSpread", await byPgbench(market, spread, seconds, base + clients * mostOfClient * seconds))
        note("httpHot", await byHttp(market, port, hot, seconds))
        note("httpSpread", await byHttp(market, port, spread, seconds))
      }
      const refused = await askForTwiceOfIt(market, ask)
      await checkBooks(market)
      return {
        rows: rowsOf(runs),
        notes: [
          `${rounds} rounds of ${seconds} s that take turns, medians. ${clients} requests under way at any time, each of R$ 1.00, all accepted: through the product's own verb in a Node process, and over HTTP with a session. pgbench writes the same rows, ${clients} clients, one transaction for each: BEGIN, SELECT … FOR UPDATE of the balance, five statements, COMMIT.`,
          `Then ${refused.asked}, as many at a time, of a seller with money for half: ${refused.accepted} accepted, ${refused.refused} refused, R$ ${refused.leftCents / 100} left. At the end every balance equals what came in minus what was accepted, and none is below zero.`,
        ],
      }
    } finally {
      await pool.end()
      await market.close()
    }
  },
}

function sellerId(number: number): string {
  return `01900000-0000-7000-8000-${number.toString(16).padStart(12, "0")}`
}

async function enrich({ query }: Market): Promise<void> {
  await query(`update users set role = 'admin' where id = '${sellerId(admin)}'`)
  await query(`
    insert into journal (kind, reference, line, seller_id, debit_account, credit_account, amount_cents, occurred_at)
    select 'payment-accepted', 'bench-' || id, 1, id, 'psp-clearing:simulator', 'seller-available:' || id,
      ${broughtIn("id")}, now()
    from users`)
}

/** The seller `halfRich` gets half of what will be requested, the others more than they can spend. */
function broughtIn(seller: string): string {
  return `case when ${seller} = '${sellerId(halfRich)}' then ${halfRichCents} else ${richCents} end`
}

function requestOf(ask: RequestWithdrawal, number: number) {
  const seller = { id: sellerId(number), address: "127.0.0.1" }
  const destination = { method: "pix", pixKey: { kind: "email", key: "ana@loja.example" } } as const
  return ask({ seller, amountCents: cents, destination, idempotencyKey: null })
}

async function byVerb(market: Market, ask: RequestWithdrawal, range: Range, seconds: number): Promise<Figures> {
  const before = process.cpuUsage()
  const measure = measuring(market)
  const endAt = performance.now() + seconds * 1000
  let accepted = 0
  const one = async () => {
    while (performance.now() < endAt) {
      await requestOf(ask, pick(range))
      accepted += 1
    }
  }
  await Promise.all(Array.from({ length: clients }, one))
  const { user, system } = process.cpuUsage(before)
  return measure(accepted, (user + system) / 1e6)
}

async function byHttp(market: Market, port: number, range: Range, seconds: number): Promise<Figures> {
  const tokens = await openSessions(market, range)
  const requests = tokens.map((token) =>
    rawRequest("POST", "/api/v1/withdrawals", {
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ amount: 1, paymentMethod: "pix", pixKey: "ana@loja.example" }),
    }),
  )
  const measure = measuring(market)
  const endAt = performance.now() + seconds * 1000
  const next = () =>
    performance.now() < endAt ? (requests[pick({ first: 0, last: requests.length - 1 })] ?? null) : null
  const { answered, failed } = await closedLoop({ port, connections: clients, next })
  if (Object.keys(failed).length > 0) throw new Error(`withdrawals were refused: ${JSON.stringify(failed)}`)
  return measure(answered, 0)
}

async function byPgbench(market: Market, { first, last }: Range, seconds: number, base: number): Promise<Figures> {
  const { databaseUrl } = market
  const variables = { base, span: mostOfClient * seconds, i: 0, first, last }
  const measure = measuring(market)
  const perSecond = await pgbench({ databaseUrl, script: withdrawalForUpdate, clients, seconds, variables })
  return { ...measure(perSecond * seconds, 0), perSecond }
}

function measuring({ postmaster }: Market) {
  const begin = performance.now()
  const cpu = postgresCpuSeconds(postmaster())
  return (count: number, nodeSeconds: number): Figures => ({
    perSecond: count / ((performance.now() - begin) / 1000),
    nodeUs: (nodeSeconds / count) * 1e6,
    postgresUs: ((postgresCpuSeconds(postmaster()) - cpu) / count) * 1e6,
  })
}

function pick({ first, last }: Range): number {
  return first + Math.floor(Math.random() * (last - first + 1))
}

async function openSessions({ query }: Market, { first, last }: Range): Promise<string[]> {
  const tokens = Array.from({ length: last - first + 1 }, newToken)
  const rows = tokens.map(
    (token, at) => `('${newId()}', '\\x${hashOfToken(token).toString("hex")}', '${sellerId(first + at)}')`,
  )
  await query(`
    insert into sessions (id, token_hash, user_id, expires_at, mac)
    select id::uuid, hash::bytea, seller::uuid, now() + interval '20 hours', ''
    from (values ${rows.join(", ")}) given (id, hash, seller)`)
  await signSessions(query)
  return tokens
}

async function askForTwiceOfIt({ query }: Market, ask: RequestWithdrawal) {
  const asked = (2 * halfRichCents) / cents
  const results: PromiseSettledResult<unknown>[] = []
  const lane = async () => {
    for (let at = 0; at < asked / clients; at += 1)
      results.push(...(await Promise.allSettled([requestUntilDecided(ask, halfRich)])))
  }
  await Promise.all(Array.from({ length: clients }, lane))
  const accepted = results.filter(({ status }) => status === "fulfilled").length
  const refused = results.filter((each) => each.status === "rejected" && isRefusal(each.reason)).length
  const [account] = await query<{ left: number }>(
    `select balance_cents as left from ledger_accounts where id = 'seller-available:${sellerId(halfRich)}'`,
  )
  const leftCents = account?.left ?? -1
  if (accepted !== asked / 2 || refused !== asked / 2 || leftCents !== 0) {
    throw new Error(`of ${asked} there were ${accepted} accepted, ${refused} refused, ${leftCents} left`)
  }
  return { asked, accepted, refused, leftCents }
}

/** Asks again after a queue's deadline, as a client does. */
async function requestUntilDecided(ask: RequestWithdrawal, seller: number): Promise<unknown> {
  for (;;) {
    try {
      return await requestOf(ask, seller)
    } catch (error) {
      if (!(error instanceof DomainError && error.code === "overloaded")) throw error
      await sleep(1_000)
    }
  }
}

function isRefusal(reason: unknown): boolean {
  return reason instanceof DomainError && reason.code === "insufficient_balance"
}

async function checkBooks({ query }: Market): Promise<void> {
  const [found] = await query<{ wrong: number }>(`
    select count(*) as wrong from ledger_accounts account
    cross join lateral (
      select coalesce(sum(amount_cents), 0) as out from withdrawals where seller_id = account.seller_id
    ) taken
    where account.kind = 'seller-available'
      and (account.balance_cents < 0 or account.balance_cents <> ${broughtIn("account.seller_id")} - taken.out)`)
  if (found?.wrong !== 0) throw new Error(`${found?.wrong} balances are not what was accepted`)
}

function rowsOf(runs: Record<string, Figures[]>): Row[] {
  const of = (name: string, pickOne: (each: Figures) => number) => median((runs[name] ?? []).map(pickOne))
  const rate = (name: string) => of(name, (each) => each.perSecond)
  const oneSeller = { name: "FOR UPDATE, one seller", figure: rate("pgbenchHot") }
  const manySellers = { name: "FOR UPDATE, 988 sellers", figure: rate("pgbenchSpread") }
  const unit = "/s"
  return [
    shownOnly({ what: "one seller, accepted", figure: rate("hot"), unit, limit: oneSeller }),
    shownOnly({ what: "988 sellers, accepted", figure: rate("spread"), unit, limit: manySellers }),
    shownOnly({ what: "one seller, over HTTP", figure: rate("httpHot"), unit, limit: oneSeller }),
    shownOnly({ what: "988 sellers, over HTTP", figure: rate("httpSpread"), unit, limit: manySellers }),
    ...(["hot", "spread"] as const).flatMap((name) => [
      shownOnly({ what: `${name}: CPU of Node for each`, figure: of(name, (each) => each.nodeUs), unit: "µs" }),
      shownOnly({ what: `${name}: CPU of PostgreSQL`, figure: of(name, (each) => each.postgresUs), unit: "µs" }),
    ]),
    shownOnly({
      what: "FOR UPDATE: CPU of PostgreSQL",
      figure: of("pgbenchHot", (each) => each.postgresUs),
      unit: "µs",
    }),
  ]
}
