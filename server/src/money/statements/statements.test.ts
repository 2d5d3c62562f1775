import { type Cents, noMoney } from "@tilinta/contract/vocabulary/money"
import { array, assert, asyncProperty, constantFrom, integer, oneof, record } from "fast-check"
import { sql } from "kysely"
import pg from "pg"
import { afterAll, expect, test } from "vitest"
import type { Tx } from "#db/transaction"
import { newId } from "#kit/ids"
import { pspClearing, sellerAvailable } from "#ledger/accounts"
import { postTransactions } from "#ledger/post-transactions"
import { bookPayments } from "#money/payments/book"
import { readSellerBalance } from "#money/payments/reads"
import { requestRefund } from "#money/refunds/request"
import { cancelWithdrawal } from "#money/withdrawals/account"
import { requestWithdrawal } from "#money/withdrawals/request"
import { createCharge } from "#selling/charges/create"
import { asOwner } from "../../../test-support/as-owner.ts"
import { enterAllMovements } from "../../../test-support/enter-all-movements.ts"
import { createPage, createSeller, openSandbox, receiptOf } from "../../../test-support/sandbox.ts"
import { isSoak } from "../../../test-support/test-sizes.ts"
import { compareStatements } from "./reads.ts"
import type { StatementLine } from "./rules.ts"
import { closeStatements, enterMovements, readStatement, readWithdrawnSales } from "./statement.ts"
import { enterSome } from "./table.ts"

const sandbox = await openSandbox()
await sandbox.control({ webhooksAtivos: false })

afterAll(async () => {
  expect(await compareStatements(sandbox.db)).toEqual([])
  await sandbox.close()
})

interface Movement {
  change: number
  at: Date
}

async function book(tx: Tx, sellerId: string, { change, at }: Movement): Promise<void> {
  const [available, clearing] = [sellerAvailable(sellerId), pspClearing("simulator")]
  const amountCents = Math.abs(change) as Cents
  const [kind, posting] =
    change > 0
      ? (["payout-returned", { debit: clearing, credit: available, amountCents }] as const)
      : (["refund-by-bank", { debit: available, credit: clearing, amountCents, mayOverdraw: true }] as const)
  await postTransactions(tx, [{ kind, reference: newId(), sellerId, occurredAt: at, postings: [posting] }])
}

function move(sellerId: string, movement: Movement): Promise<void> {
  return sandbox.db.transaction().execute((tx) => book(tx, sellerId, movement))
}

async function paySome(sellerId: string): Promise<void> {
  const page = await createPage(sandbox, { sellerId, reais: 100 })
  const { txid } = await createCharge(sandbox, { pageId: page.id, customerInfo: null, idempotencyKey: null })
  await bookPayments(sandbox, [receiptOf(txid, 10_000)])
}

async function readMonth(sellerId: string, month: string | undefined, limit = 100, order: "asc" | "desc" = "asc") {
  const pages = []
  let after: string | undefined
  do {
    const page = await readStatement(sandbox, { sellerId, month, order, after, limit })
    pages.push(page)
    after = page.next ?? undefined
  } while (after !== undefined)
  const [{ openingCents, closingCents, isClosed }] = pages as [(typeof pages)[number]]
  return { openingCents, closingCents, isClosed, lines: pages.flatMap(({ lines }) => lines) }
}

/** The balance after each line follows from the one before, from the opening to the closing balance. */
function expectToAddUp({ openingCents, closingCents, lines }: Awaited<ReturnType<typeof readMonth>>): void {
  let balance: number = openingCents
  for (const line of lines) {
    balance += line.amountCents
    expect(line.balanceCents).toBe(balance)
  }
  expect(closingCents).toBe(balance)
}

const shown = ({ kind, amountCents, balanceCents }: StatementLine) => `${kind} ${amountCents} → ${balanceCents}`

test("sale, fee, refund, withdrawal and its return are lines, in order, whether they are entered yet or not", async () => {
  const sellerId = await createSeller(sandbox)
  await paySome(sellerId)
  await paySome(sellerId)
  const seller = { id: sellerId, address: null }
  const { id: chargeId } = await sandbox.db
    .selectFrom("charges")
    .select("id")
    .where("seller_id", "=", sellerId)
    .orderBy("id")
    .executeTakeFirstOrThrow()
  const refund = { chargeId, origin: "seller", amountCents: 4_000 as Cents, reason: "", idempotencyKey: null } as const
  await requestRefund(sandbox, { ...refund, actor: seller })
  const destination = { method: "pix", pixKey: { kind: "email", key: "ana@loja.example" } } as const
  const query = { seller, amountCents: 5_000 as Cents, destination, idempotencyKey: null }
  const { id } = await requestWithdrawal(sandbox, query)
  await cancelWithdrawal(sandbox, { id, seller })

  const unentered = await readMonth(sellerId, undefined)
  expect(unentered.lines.map(shown)).toEqual([
    "sale 10000 → 10000",
    "fee -1500 → 8500",
    "sale 10000 → 18500",
    "fee -1500 → 17000",
    "refund -3400 → 13600",
    "withdrawal -5000 → 8600",
    "withdrawal_returned 5000 → 13600",
  ])
  expectToAddUp(unentered)
  expect(unentered.closingCents).toBe(await readSellerBalance(sandbox.db, sellerId))
  expect(unentered.lines[0]?.chargeId).toBe(chargeId)
  const [sold, refunded] = [unentered.lines[0], unentered.lines[4]]
  expect([refunded?.chargeId, refunded?.pageTitle]).toEqual([chargeId, sold?.pageTitle])
  await enterAllMovements(sandbox.db)
  expect(await readMonth(sellerId, undefined)).toEqual(unentered)
})

const minute = 60_000
const movement = record({
  change: oneof(integer({ min: 1, max: 1_000_000 }), integer({ min: -1_000_000, max: -1 })),
  minutes: oneof(integer({ min: 0, max: 3 }), integer({ min: 0, max: 60 * 24 * 40 })),
  enter: constantFrom("nothing", "nothing", "one", "all"),
  limit: integer({ min: 1, max: 5 }),
})

test("random movements: opening + movements = closing = the next month's opening, up to the balance", {
  timeout: 900_000,
}, async () => {
  const history = asyncProperty(array(movement, { minLength: 1, maxLength: 25 }), async (movements) => {
    const sellerId = newId()
    let at = new Date("2026-01-31T23:58:00-03:00")
    for (const { change, minutes, enter } of movements) {
      at = new Date(at.getTime() + minutes * minute)
      await move(sellerId, { change, at })
      if (enter === "one") await sandbox.db.transaction().execute((tx) => enterSome(tx, 1))
      if (enter === "all") await enterAllMovements(sandbox.db)
    }
    const limit = movements[0]?.limit ?? 1
    let opening: number = noMoney
    const lines: StatementLine[] = []
    for (let n = 0; n < 36; n += 1) {
      const month = `${2026 + Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, "0")}`
      const read = await readMonth(sellerId, month, limit)
      expectToAddUp(read)
      const newestFirst = await readMonth(sellerId, month, limit, "desc")
      expect(newestFirst).toEqual({ ...read, lines: read.lines.toReversed() })
      expect(read.openingCents).toBe(opening)
      const inSaoPaulo = new Intl.DateTimeFormat("sv-SE", { timeZone: "America/Sao_Paulo" })
      for (const line of read.lines) expect(inSaoPaulo.format(line.at).slice(0, 7)).toBe(month)
      opening = read.closingCents
      lines.push(...read.lines)
    }
    expect(lines.map(({ amountCents }) => amountCents)).toEqual(movements.map(({ change }) => change))
    expect(opening).toBe(await readSellerBalance(sandbox.db, sellerId))
  })
  await assert(history, { numRuns: isSoak ? 200 : 6, endOnFailure: true })
})

test("entered twice, or by many at once, each movement is one line", async () => {
  const sellerId = newId()
  for (let n = 1; n <= 20; n += 1) await move(sellerId, { change: n, at: new Date() })
  await Promise.all(Array.from({ length: 6 }, () => enterMovements(sandbox)))
  await enterAllMovements(sandbox.db)
  await enterMovements(sandbox)
  const { lines } = await readMonth(sellerId, undefined)
  expect(lines.map(({ amountCents }) => amountCents)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
  expect(await compareStatements(sandbox.db)).toEqual([])
})

test("a movement whose transaction ends later than the one after it is neither lost nor passed by a cursor", async () => {
  const sellerId = newId()
  const slow = new pg.Client({ connectionString: sandbox.url })
  await slow.connect()
  try {
    await move(sellerId, { change: 100, at: new Date() })
    await enterAllMovements(sandbox.db)
    await slow.query("begin")
    await slow.query(
      `insert into journal (kind, reference, line, seller_id, debit_account, credit_account, amount_cents, occurred_at)
       values ('payout-returned', $1, 1, $2::uuid, 'psp-clearing:other', 'seller-available:' || $2::uuid, 7, now())`,
      [newId(), newId()],
    )
    await move(sellerId, { change: 10, at: new Date() })
    await enterMovements(sandbox)
    const before = await readStatement(sandbox, { sellerId, month: undefined, after: undefined, limit: 1 })
    expect(before.lines.map(shown)).toEqual(["withdrawal_returned 100 → 100", "withdrawal_returned 10 → 110"])
    expect(before).toMatchObject({ closingCents: 110, next: null })
    const newest = await readStatement(sandbox, {
      sellerId,
      month: undefined,
      order: "desc",
      after: undefined,
      limit: 1,
    })
    expect(newest.lines.map(shown)).toEqual(["withdrawal_returned 10 → 110", "withdrawal_returned 100 → 100"])
    expect(newest).toMatchObject({ closingCents: 110, next: null })
  } finally {
    await slow.query("commit")
    await slow.end()
  }
  await enterAllMovements(sandbox.db)
  const after = await readMonth(sellerId, undefined, 1)
  expect(after.lines.map(shown)).toEqual(["withdrawal_returned 100 → 100", "withdrawal_returned 10 → 110"])
})

test("a closed month stays as it is: what is booked for it later stands in the next", async () => {
  const sellerId = newId()
  const clock = { now: () => new Date("2026-03-01T12:00:00-03:00") }
  await move(sellerId, { change: 500, at: new Date("2026-02-28T23:59:00-03:00") })
  expect(await readMonth(sellerId, "2026-02")).toMatchObject({ isClosed: false, closingCents: 500 })
  await enterAllMovements(sandbox.db)
  await closeStatements({ ...sandbox, clock })
  await move(sellerId, { change: 25, at: new Date("2026-02-28T23:59:30-03:00") })
  for (const enter of [async () => undefined, () => enterAllMovements(sandbox.db)]) {
    await enter()
    expect(await readMonth(sellerId, "2026-02")).toMatchObject({ isClosed: true, closingCents: 500 })
    const march = await readMonth(sellerId, "2026-03")
    expect(march).toMatchObject({ isClosed: false, openingCents: 500, closingCents: 525 })
    expect(march.lines[0]?.at).toEqual(new Date("2026-03-01T00:00:00-03:00"))
  }
})

test("a sale keeps the title under which it was paid, whatever its page is called later", async () => {
  const sellerId = await createSeller(sandbox)
  const page = await createPage(sandbox, { sellerId, reais: 100, maxPayments: null })
  const payOne = async () => {
    const { txid } = await createCharge(sandbox, { pageId: page.id, customerInfo: null, idempotencyKey: null })
    await bookPayments(sandbox, [receiptOf(txid, 10_000)])
  }
  const titles = async () =>
    (await readMonth(sellerId, undefined)).lines.flatMap(({ kind, pageTitle }) => (kind === "sale" ? [pageTitle] : []))
  await payOne()
  const [before] = await titles()
  await sandbox.db.updateTable("charge_pages").set({ title: "Outro nome" }).where("id", "=", page.id).execute()
  await payOne()
  expect(before).not.toBe("Outro nome")
  expect(await titles()).toEqual([before, "Outro nome"])
})

test("a day is not closed before all that was booked on it is entered", async () => {
  const sellerId = newId()
  const clock = { now: () => new Date("2026-05-01T12:00:00-03:00") }
  await enterAllMovements(sandbox.db)
  await sandbox.db.transaction().execute(async (tx) => {
    await sql`select pg_current_xact_id()`.execute(tx)
    await move(sellerId, { change: 500, at: new Date("2026-04-29T12:00:00-03:00") })
    await closeStatements({ ...sandbox, clock })
    expect(await readMonth(sellerId, "2026-04")).toMatchObject({ isClosed: false, closingCents: 500 })
  })
  await enterAllMovements(sandbox.db)
  await closeStatements({ ...sandbox, clock })
  const april = await readMonth(sellerId, "2026-04")
  expect(april).toMatchObject({ isClosed: true, closingCents: 500 })
  expect(april.lines[0]?.at).toEqual(new Date("2026-04-29T12:00:00-03:00"))
})

test("a restored dump keeps the order of its statements, and goes on", async () => {
  const sellerId = newId()
  await move(sellerId, { change: 500, at: new Date() })
  await enterAllMovements(sandbox.db)
  await move(sellerId, { change: 30, at: new Date() })
  const later = (xid: string) => `(${xid}::text::bigint + 1000000000000)::text::xid8`
  await asOwner(
    sandbox,
    "alter table journal disable trigger journal_is_final",
    `update journal set xid = ${later("xid")} where xid >= (select below from entered_statements)`,
    "alter table journal enable trigger journal_is_final",
    `update entered_statements set below = ${later("below")}`,
    "select renumber_restored_payments()",
  )
  await move(sellerId, { change: -20, at: new Date() })
  await enterAllMovements(sandbox.db)
  const { lines } = await readMonth(sellerId, undefined)
  expect(lines.map(({ balanceCents }) => balanceCents)).toEqual([500, 530, 510])
  expect(await compareStatements(sandbox.db)).toEqual([])
})

test("the verification names a line that was changed, and a balance that the lines don't reach", async () => {
  const sellerId = newId()
  await move(sellerId, { change: 500, at: new Date() })
  await enterAllMovements(sandbox.db)
  await asOwner(sandbox, `update statement_lines set balance_cents = 501 where seller_id = '${sellerId}'`)
  expect(await compareStatements(sandbox.db)).toMatchObject([
    {
      what: `lançamento 1 do extrato de ${sellerId}, número e saldo em centavos`,
      expected: "1 / 500",
      found: "1 / 501",
    },
    { what: `saldo no extrato de seller-available:${sellerId}, em centavos`, expected: "500", found: "501" },
  ])
  await asOwner(sandbox, `update statement_lines set balance_cents = 500 where seller_id = '${sellerId}'`)
})

test.each(["insert into statement_lines select * from statement_lines", "update entered_statements set below = '0'"])(
  "the server's role may not: %s",
  async (statement) => {
    await expect(sql.raw(statement).execute(sandbox.db)).rejects.toThrow(/permission denied/)
  },
)

test("a withdrawal opens the sales since the one before, whoever asks reads only their own", async () => {
  const sellerId = await createSeller(sandbox)
  const destination = { method: "pix", pixKey: { kind: "email", key: "ana@loja.example" } } as const
  const withdraw = (cents: number) => {
    const query = { seller: { id: sellerId, address: null }, amountCents: cents as Cents, destination }
    return requestWithdrawal(sandbox, { ...query, idempotencyKey: null })
  }
  const salesOf = async (withdrawalId: string, limit = 100, reader = sellerId) => {
    const lines: string[] = []
    let after: string | undefined
    do {
      const page = await readWithdrawnSales(sandbox.db, { sellerId: reader, withdrawalId, after, limit })
      lines.push(...page.lines.map(({ kind, amountCents, pageTitle }) => `${kind} ${amountCents} ${pageTitle}`))
      after = page.next ?? undefined
    } while (after !== undefined)
    return lines
  }
  await paySome(sellerId)
  const first = await withdraw(1_000)
  await paySome(sellerId)
  await paySome(sellerId)
  const cancelled = await withdraw(500)
  await cancelWithdrawal(sandbox, { id: cancelled.id, seller: { id: sellerId, address: null } })
  const second = await withdraw(2_000)
  await paySome(sellerId)
  const { title } = await sandbox.db
    .selectFrom("charge_pages")
    .select("title")
    .where("seller_id", "=", sellerId)
    .executeTakeFirstOrThrow()
  const sale = [`sale 10000 ${title}`, `fee -1500 ${title}`]
  for (const limit of [100, 1]) {
    expect(await salesOf(first.id, limit)).toEqual(sale)
    expect(await salesOf(second.id, limit)).toEqual([...sale, ...sale])
  }
  await enterAllMovements(sandbox.db)
  expect(await salesOf(second.id, 1)).toEqual([...sale, ...sale])
  await expect(salesOf(second.id, 1, await createSeller(sandbox))).rejects.toThrow("withdrawal_forbidden")
})

test("a withdrawal opens its sales by their lines, whatever the clock of the server that took the request says", async () => {
  const sellerId = await createSeller(sandbox)
  const destination = { method: "pix", pixKey: { kind: "email", key: "ana@loja.example" } } as const
  const withdraw = (minutesAhead: number) => {
    const clock = { now: () => new Date(Date.now() + minutesAhead * minute) }
    const query = { seller: { id: sellerId, address: null }, amountCents: 500 as Cents, destination }
    return requestWithdrawal({ ...sandbox, clock }, { ...query, idempotencyKey: null })
  }
  await paySome(sellerId)
  const ahead = await withdraw(50)
  await paySome(sellerId)
  await paySome(sellerId)
  const behind = await withdraw(-50)
  await paySome(sellerId)
  const last = await withdraw(0)
  const salesOf = async ({ id }: { id: string }) => {
    const { lines, next } = await readWithdrawnSales(sandbox.db, {
      sellerId,
      withdrawalId: id,
      after: undefined,
      limit: 10,
    })
    expect(next).toBeNull()
    return lines.filter(({ kind }) => kind === "sale").length
  }
  for (const enter of [async () => undefined, () => enterAllMovements(sandbox.db)]) {
    await enter()
    expect([await salesOf(ahead), await salesOf(behind), await salesOf(last)]).toEqual([1, 2, 1])
  }
})
