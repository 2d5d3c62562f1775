import type { Logger } from "pino"
import { type PaymentReceived, PspError, type PspRefund, type PspWindow } from "#psp/psp"
import type { UnreadableEntries } from "#psp/unreadable-entries"
import { listOfCharge, listWindow } from "./listing.ts"
import { isSuccess, saysNotFound, type WooviClient, wooviFailureOf } from "./woovi-client.ts"
import { listRefundsOfCharge } from "./woovi-refunds.ts"
import {
  chargeOfMovementSchema,
  movementSchema,
  paymentReceivedSchema,
  transactionAnswerSchema,
} from "./woovi-schemas.ts"

interface Source {
  name: string
  client: WooviClient
  log: Logger
  unreadable: UnreadableEntries
}

/** A Woovi transaction is money received, money returned, or irrelevant to us. */
type Movement =
  | { kind: "receipt"; receipt: PaymentReceived }
  | { kind: "refund"; txid: string | null }
  | { kind: "other" | "unreadable" }

export async function findReceipt(source: Source, endToEndId: string): Promise<PaymentReceived | null> {
  const answer = await source.client.request("GET", `/transaction/${encodeURIComponent(endToEndId)}`)
  if (saysNotFound(answer)) return null
  if (!isSuccess(answer)) throw wooviFailureOf(answer)
  const parsed = transactionAnswerSchema.safeParse(answer.body)
  if (!parsed.success) throw new PspError("unknown", "unreadable receipt")
  const movement = readMovement(source.name, parsed.data.transaction)
  if (movement.kind === "unreadable") throw new PspError("unknown", "unreadable receipt")
  if (movement.kind !== "receipt") return null
  const { receipt } = movement
  if (receipt.endToEndId !== endToEndId) throw new PspError("unknown", "the provider answered another receipt")
  if (receipt.txid === null) return receipt
  const ofCharge = await findReceiptsOfCharge(source, receipt.txid)
  return ofCharge.find((each) => each.endToEndId === endToEndId) ?? receipt
}

export async function findReceiptsOfCharge(source: Source, txid: string): Promise<PaymentReceived[]> {
  const listed = await listOfCharge(source.client, txid)
  // If Woovi ignored the filter, the list would contain other charges' receipts.
  const receipts = receiptsAmong(listed.map((body) => readListed(source, body))).filter((each) => each.txid === txid)
  if (receipts.length === 0) return []
  const refunds = await readRefundsOfCharge(source, txid)
  const [only] = receipts
  if (only !== undefined && receipts.length === 1) return [{ ...only, refunds }]
  // Woovi lists refunds by charge, not by payment. Ours are queried one by one; those it began need a person.
  if (refunds.length > 0) source.log.error({ alarm: "unclear_refund", txid }, "refunds of a charge that was paid twice")
  return receipts
}

/**
 * Receipts of the window, and earlier receipts again whose refund lies in it: each refund is listed when it happens.
 */
export async function* listReceipts(source: Source, window: PspWindow): AsyncGenerator<PaymentReceived[]> {
  for await (const listed of listWindow(source.client, "transactions", window)) {
    const movements = listed.map((body) => readListed(source, body))
    yield receiptsAmong(movements)
    const refunded = movements.flatMap((movement) => (movement.kind === "refund" ? [movement.txid] : []))
    for (const txid of new Set(refunded)) {
      if (txid !== null) yield await findReceiptsOfCharge(source, txid)
    }
  }
}

/** Receipts only, oldest first. */
function receiptsAmong(movements: Movement[]): PaymentReceived[] {
  return movements
    .flatMap((movement) => (movement.kind === "receipt" ? [movement.receipt] : []))
    .sort((a, b) => a.paidAt.getTime() - b.paidAt.getTime())
}

function readListed({ name, unreadable }: Source, body: unknown): Movement {
  const movement = readMovement(name, body)
  if (movement.kind === "unreadable") unreadable.note("receipt", body)
  return movement
}

function readMovement(provider: string, body: unknown): Movement {
  const parsed = movementSchema.safeParse(body)
  if (!parsed.success) return { kind: "unreadable" }
  const { type, status, charge } = parsed.data
  if ((status ?? "CONFIRMED") !== "CONFIRMED") return { kind: "other" }
  const named = chargeOfMovementSchema.safeParse(charge)
  // A receipt whose charge is unreadable is still money: it becomes an unmatched payment.
  const txid = named.success ? named.data.correlationID : null
  if (type === "REFUND") return { kind: "refund", txid }
  return type === "PAYMENT" ? readReceipt(provider, txid, body) : { kind: "other" }
}

function readReceipt(provider: string, txid: string | null, body: unknown): Movement {
  const parsed = paymentReceivedSchema.safeParse(body)
  if (!parsed.success) return { kind: "unreadable" }
  const { endToEndId, value, time } = parsed.data
  const paidAt = new Date(time)
  if (Number.isNaN(paidAt.getTime())) return { kind: "unreadable" }
  return { kind: "receipt", receipt: { provider, endToEndId, txid, amountCents: value, paidAt, refunds: [] } }
}

async function readRefundsOfCharge({ client, log }: Source, txid: string): Promise<PspRefund[]> {
  const refunds = await listRefundsOfCharge(client, txid)
  if (refunds.includes(null)) log.error({ alarm: "unreadable_refund" }, "a refund of the provider can't be read")
  return refunds.filter((refund) => refund !== null)
}
