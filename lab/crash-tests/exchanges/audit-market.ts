import { type BankBooks, query, readBankBooks } from "../embedded-books.ts"
import { call, type Market } from "./market.ts"

/** The figures that the API shows a seller, in centavos. */
interface Shown {
  balance: number
  available: number
  inProgress: number
  withdrawn: number
  blocked: number
  totalGross: number
  totalFee: number
  totalReceived: number
  totalRefunded: number
}

/** Read while the nodes still answer. */
export async function readShown(market: Market): Promise<Map<string, Shown>> {
  const shown = new Map<string, Shown>()
  for (const { id, token } of market.sellers) {
    const [balance, withdrawals, transactions] = await Promise.all(
      ["/users/myBalance", "/withdrawals?limit=1", "/payments/transactions?limit=1"].map(async (path) => {
        const { status, body } = await call(market, "GET", path, { token })
        if (status !== 200) throw new Error(`${path} answered ${status} to a seller: ${JSON.stringify(body)}`)
        return body["data"] as { balance: number; summary: Record<string, number> }
      }),
    )
    const figures = { balance: balance?.balance, ...withdrawals?.summary, ...transactions?.summary }
    const inCents = Object.entries(figures).map(([name, reais]) => [name, Math.round(Number(reais) * 100)] as const)
    shown.set(id, Object.fromEntries(inCents) as unknown as Shown)
  }
  return shown
}

interface Documents {
  charges: {
    id: string
    seller: string
    cents: number
    rate: number
    fee: number
    refunded: number
    refundedFee: number
    status: string
    payments: number[]
  }[]
  refunds: { id: string; charge: string | null; seller: string | null; cents: number; fee: number; status: string }[]
  withdrawals: {
    id: string
    seller: string
    cents: number
    back: number
    method: string
    key: string | null
    payout: string | null
    status: string
  }[]
  blocked: { seller: string; cents: number }[]
  suspended: { cents: number }[]
  ledger: { account: string; balance: number; posted: number }[]
}

/**
 * Recomputes from the bank's books and our documents, without ledger or totals, what everybody owns, and compares it with
 * the ledger, the API and the bank's money. Shares no statement and no rounding with `npm run verify`.
 */
export async function auditMarket(market: Market, shown: Map<string, Shown>): Promise<string[]> {
  const documents = await readDocuments(market.installation.databaseUrl)
  const bank = readBankBooks(market.installation.bankDataDir)
  return [
    ...documents.charges.flatMap((charge) => chargeDifferences(charge, documents)),
    ...documents.withdrawals.flatMap((withdrawal) => withdrawalDifferences(withdrawal, bank)),
    ...market.sellers.flatMap(({ id }) => sellerDifferences(id, documents, shown.get(id))),
    ...platformDifferences(documents, bank),
  ]
}

function chargeDifferences(charge: Documents["charges"][number], { refunds }: Documents): string[] {
  const { id, cents, rate, fee, refunded, refundedFee, status, payments } = charge
  const own = refunds.filter((refund) => refund.charge === id)
  const completed = own.filter((refund) => refund.status === "completed")
  const given = sumOf(completed, (refund) => refund.cents)
  const committed = sumOf(
    own.filter((refund) => refund.status !== "refused"),
    (refund) => refund.cents,
  )
  return [
    ...unequal(`charge ${id}: payments`, payments, [cents]),
    ...unequal(`charge ${id}: fee`, fee, Number((BigInt(cents) * BigInt(rate) + 5_000n) / 10_000n)),
    ...unequal(`charge ${id}: refunded`, refunded, given),
    ...unequal(
      `charge ${id}: refunded fee`,
      refundedFee,
      sumOf(completed, (refund) => refund.fee),
    ),
    ...(given === cents ? unequal(`charge ${id}: fee given back with all`, refundedFee, fee) : []),
    ...(committed > cents ? [`charge ${id}: ${committed} of ${cents} go back`] : []),
    ...unequal(`charge ${id}: status`, status, given === cents ? "refunded" : "paid"),
  ]
}

/** A Pix is completed exactly when the bank paid it: once, that amount, to that key. */
function withdrawalDifferences(withdrawal: Documents["withdrawals"][number], bank: BankBooks): string[] {
  const { id, cents, back, method, key, payout, status } = withdrawal
  const sent = bank.payouts.filter(({ sendId, refusal }) => sendId === payout && refusal === null)
  const returned = sumOf(
    sent,
    ({ sendId }) => bank.payoutReturns.find((each) => each.sendId === sendId)?.returnedCents ?? 0,
  )
  const isPaid = status === "completed" || (status === "rejected" && back > 0)
  return [
    ...unequal(
      `withdrawal ${id}: sent`,
      sent.map((each) => [each.amountCents, each.payeeKey]),
      isPaid && method === "pix" ? [[cents, key]] : [],
    ),
    ...(method === "pix" ? unequal(`withdrawal ${id}: came back`, back, returned) : []),
  ]
}

function sellerDifferences(id: string, documents: Documents, shown: Shown | undefined): string[] {
  const ofSeller = <Row extends { seller: string | null }>(rows: Row[]) => rows.filter(({ seller }) => seller === id)
  const charges = ofSeller(documents.charges)
  const refunds = ofSeller(documents.refunds).filter(({ status }) => status !== "refused")
  const withdrawals = ofSeller(documents.withdrawals)
  const live = withdrawals.filter(({ status }) => status !== "rejected" && status !== "cancelled")
  const pending = sumOf(
    live.filter(({ status }) => status !== "completed"),
    ({ cents }) => cents,
  )
  const withdrawn = sumOf(
    live.filter(({ status }) => status === "completed"),
    ({ cents, back }) => cents - back,
  )
  const gross = sumOf(charges, ({ cents }) => cents)
  const fees = sumOf(charges, ({ fee }) => fee)
  const refunded = sumOf(refunds, ({ cents }) => cents)
  const refundedFees = sumOf(refunds, ({ fee }) => fee)
  const blocked = sumOf(ofSeller(documents.blocked), ({ cents }) => cents)
  const net = gross - fees - (refunded - refundedFees)
  const available = net - pending - withdrawn - blocked
  const expected: Shown = {
    balance: available,
    available,
    inProgress: pending,
    withdrawn,
    blocked,
    totalGross: gross - refunded,
    totalFee: fees - refundedFees,
    totalReceived: net,
    totalRefunded: refunded,
  }
  const figures = Object.entries(expected) as [keyof Shown, number][]
  return [
    ...figures.flatMap(([name, cents]) => unequal(`seller ${id}: ${name} of the API`, shown?.[name], cents)),
    ...accountDifferences(documents, `seller-available:${id}`, available),
    ...accountDifferences(documents, `seller-held:${id}`, pending),
    ...accountDifferences(documents, `seller-blocked:${id}`, blocked),
  ]
}

/** Everything that people own together is what the bank holds, less what was paid by hand, of which it doesn't know. */
function platformDifferences(documents: Documents, bank: BankBooks): string[] {
  const { charges, refunds, withdrawals, suspended, ledger } = documents
  const live = refunds.filter(({ status }) => status !== "refused")
  const fees = sumOf(charges, ({ fee }) => fee) - sumOf(live, ({ fee }) => fee)
  const unclaimed =
    sumOf(suspended, ({ cents }) => cents) -
    sumOf(
      live.filter(({ seller }) => seller === null),
      ({ cents }) => cents,
    )
  const accepted = <Row extends { refusal: string | null }>(rows: Row[]) =>
    rows.filter(({ refusal }) => refusal === null)
  const byHand = withdrawals.filter(({ method, status }) => method !== "pix" && status === "completed")
  const held =
    sumOf(bank.payments, ({ amountCents }) => amountCents) -
    sumOf(accepted(bank.refunds), ({ amountCents }) => amountCents) -
    sumOf(accepted(bank.payouts), ({ amountCents }) => amountCents) +
    sumOf(bank.payoutReturns, ({ returnedCents }) => returnedCents) -
    sumOf(byHand, ({ cents }) => cents)
  const sellers = ledger.filter(({ account }) => account.startsWith("seller-"))
  return [
    ...accountDifferences(documents, "fee-revenue", fees),
    ...accountDifferences(documents, "suspense:simulator", unclaimed),
    ...accountDifferences(documents, "payouts-under-way:simulator", 0),
    ...accountDifferences(documents, "refunds-under-way:simulator", 0),
    ...accountDifferences(documents, "psp-clearing:simulator", -held),
    ...unequal("everybody's money and the bank's", sumOf(sellers, ({ balance }) => balance) + fees + unclaimed, held),
  ]
}

function accountDifferences({ ledger }: Documents, account: string, expected: number): string[] {
  const found = ledger.find((each) => each.account === account) ?? { balance: 0, posted: 0 }
  return [
    ...unequal(`account ${account}`, found.balance, expected),
    ...unequal(`account ${account}: its postings`, found.posted, expected),
  ]
}

function unequal(what: string, ours: unknown, expected: unknown): string[] {
  const [said, computed] = [JSON.stringify(ours), JSON.stringify(expected)]
  return said === computed ? [] : [`audit, ${what}: ${said}, computed ${computed}`]
}

function sumOf<Row>(rows: readonly Row[], cents: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + cents(row), 0)
}

/** The part of an unmatched payment that the bank or an admin gave back; only the rest can be accepted. */
const returnedBefore = `(select coalesce(sum(returned.amount_cents), 0) from refunds returned
  where returned.end_to_end_id = unmatched_payments.end_to_end_id and returned.charge_id is null
    and returned.status <> 'refused')`

async function readDocuments(databaseUrl: string): Promise<Documents> {
  const read = <Name extends keyof Documents>(sql: string) =>
    query<Documents[Name][number]>(databaseUrl, sql) as Promise<Documents[Name]>
  const [charges, refunds, withdrawals, blocked, suspended, ledger] = await Promise.all([
    read<"charges">(
      `select id, seller_id as seller, amount_cents::float as cents, fee_basis_points as rate, fee_cents::float as fee,
         refunded_cents::float as refunded, refunded_fee_cents::float as "refundedFee", status,
         array(select amount_cents::float from payments where charge_id = charges.id and disposition = 'credited'
           union all select (amount_cents - ${returnedBefore})::float from unmatched_payments
             where accepted_charge_id = charges.id) as payments
       from charges where status in ('paid', 'refunded') or refunded_cents > 0
         or exists (select from payments where charge_id = charges.id and disposition = 'credited')`,
    ),
    read<"refunds">(
      `select id, charge_id as charge, seller_id as seller, amount_cents::float as cents, fee_cents::float as fee, status
       from refunds`,
    ),
    read<"withdrawals">(
      `select id, seller_id as seller, amount_cents::float as cents, returned_cents::float as back, method,
         pix_key as key, payout_id as payout, status from withdrawals`,
    ),
    read<"blocked">("select seller_id as seller, blocked_cents::float as cents from disputes where blocked_cents > 0"),
    read<"suspended">(
      `select (payments.amount_cents - coalesce(accepted.amount_cents, 0))::float as cents from payments
       left join unmatched_payments matched using (end_to_end_id)
       left join charges accepted on accepted.id = matched.accepted_charge_id
       where disposition = 'suspense'`,
    ),
    read<"ledger">(
      `select account.id as account, balance_cents::float as balance,
         (select coalesce(sum(case when credit_account = account.id then amount_cents else -amount_cents end), 0)::float
          from ledger_postings where account.id in (credit_account, debit_account)) as posted
       from ledger_accounts account`,
    ),
  ])
  return { charges, refunds, withdrawals, blocked, suspended, ledger }
}
