import { type BankBooks, query, readBankBooks } from "../embedded-books.ts"
import type { Market } from "./market.ts"

interface Ours {
  payments: { id: string; cents: number; times: number }[]
  refunds: { id: string; cents: number; status: string }[]
  payouts: { id: string; cents: number; status: string; returned: number; withdrawals: number }[]
  charges: { id: string; txid: string; cents: number; status: string; credited: number }[]
}

/** Compares the bank's own books, read after it has ended, with ours; returns one sentence per difference. */
export async function compareBooks(market: Market): Promise<string[]> {
  const { databaseUrl, bankDataDir } = market.installation
  const [ours, bank] = [await readOurs(databaseUrl), readBankBooks(bankDataDir)]
  const paidAtBank = new Map(bank.payments.map((payment) => [payment.endToEndId, payment.amountCents]))
  const ourPayments = new Map(ours.payments.map(({ id, cents }) => [id, cents]))
  const gone = new Map(
    bank.refunds
      .filter(({ refusal }) => refusal === null)
      .map((each) => [`${each.endToEndId}/${each.refundId}`, each.amountCents]),
  )
  const ourGone = new Map(
    ours.refunds.filter(({ status }) => status === "completed").map(({ id, cents }) => [id, cents]),
  )
  const sent = new Map(
    bank.payouts.filter(({ refusal }) => refusal === null).map((each) => [each.sendId, each.amountCents]),
  )
  const ourSent = new Map(
    ours.payouts
      .filter(({ status, returned }) => status === "completed" || returned > 0)
      .map(({ id, cents }) => [id, cents]),
  )
  const knownIds = new Set(ours.payouts.map(({ id }) => id))
  return [
    ...differences("payment", ourPayments, paidAtBank),
    ...differences("refund", ourGone, gone),
    ...differences("payout", ourSent, sent),
    ...ours.payments
      .filter(({ times }) => times !== 1)
      .map(({ id, times }) => `payment ${id} was booked ${times} times`),
    ...bank.payouts.filter(({ sendId }) => !knownIds.has(sendId)).map(({ sendId }) => `payout ${sendId} is nobody's`),
    ...ours.payouts
      .filter(({ withdrawals }) => withdrawals !== 1)
      .map(({ id }) => `payout ${id} is of many withdrawals`),
    ...racedDifferences(market, ours, bank),
  ]
}

/** P07: whichever was faster, a charge is never cancelled and paid without credit, and never credited twice. */
function racedDifferences(market: Market, ours: Ours, bank: BankBooks): string[] {
  const paid = new Set(bank.payments.map(({ txid, amountCents }) => `${txid} ${amountCents}`))
  const atBank = new Map(bank.charges.map(({ txid, status }) => [txid, status]))
  const charges = new Map(ours.charges.map((charge) => [charge.id, charge]))
  return market.raced.flatMap((id) => {
    const charge = charges.get(id)
    if (charge === undefined) return [`charge ${id} is gone`]
    const { txid, cents, status, credited } = charge
    const isPaid = status === "paid" || status === "refunded"
    // A payment of another amount waits for an admin, and the charge stays as it is.
    const wasPaid = paid.has(`${txid} ${cents}`)
    if (isPaid !== wasPaid || credited !== Number(wasPaid)) {
      return [`charge ${id} is ${status}, credited ${credited} times, and was ${wasPaid ? "" : "not "}paid`]
    }
    const isOver = status === "cancelled" || status === "failed"
    return isOver && atBank.get(txid) === "ATIVA" ? [`charge ${id} is ${status} and can still be paid`] : []
  })
}

function differences(what: string, ours: Map<string, number>, bank: Map<string, number>): string[] {
  return [...new Set([...ours.keys(), ...bank.keys()])]
    .filter((id) => ours.get(id) !== bank.get(id))
    .map((id) => `${what} ${id}: ours ${ours.get(id) ?? "none"}, the bank's ${bank.get(id) ?? "none"}`)
}

async function readOurs(databaseUrl: string): Promise<Ours> {
  const [payments, refunds, payouts, charges] = await Promise.all([
    query<Ours["payments"][number]>(
      databaseUrl,
      `select end_to_end_id as id, amount_cents::float as cents,
         (select count(*)::int from ledger_postings
          where reference = end_to_end_id and kind in ('payment', 'unmatched-payment') and line = 1) as times
       from payments`,
    ),
    query<Ours["refunds"][number]>(
      databaseUrl,
      "select end_to_end_id || '/' || psp_refund_id as id, amount_cents::float as cents, status from refunds",
    ),
    query<Ours["payouts"][number]>(
      databaseUrl,
      `select payout_id as id, min(amount_cents)::float as cents, min(status) as status,
         sum(returned_cents)::float as returned, count(*)::int as withdrawals
       from withdrawals where payout_id is not null group by payout_id`,
    ),
    query<Ours["charges"][number]>(
      databaseUrl,
      `select id, txid, amount_cents::float as cents, status,
         (select count(*)::int from payments where charge_id = charges.id and disposition = 'credited') as credited
       from charges where txid is not null`,
    ),
  ])
  return { payments, refunds, payouts, charges }
}
