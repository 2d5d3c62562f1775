import type { Logger } from "pino"
import { ReplyTooLarge } from "#kit/http-client"
import { type Answer, saysNone } from "#psp/bounded-http"
import { type PaymentReceived, PspError, type PspRefund, type PspWindow } from "#psp/psp"
import type { UnreadableEntries } from "#psp/unreadable-entries"
import { listRefundsOfCharge } from "./woovi-charges.ts"
import { isSuccess, saysNotFound, type WooviClient, wooviFailureOf } from "./woovi-client.ts"
import {
  chargeOfMovementSchema,
  listSchema,
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
  if (movement.kind === "unreadable") unreadable.record("receipt", body)
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

type List = "transactions" | "payments"

const paths = { transactions: "/transaction", payments: "/payment" } as const satisfies Record<List, string>
const PAGE_SIZE = 100
/** Refusals of a page that may be too long. */
const refusedSizes = [400, 413, 422]
/** Woovi limits the depth of paging, so a long window is read in parts. */
const CHUNK_MS = 6 * 3_600_000

/** The window's items, part by part, oldest part first. An item on a border may appear in both parts. */
export async function* listWindow(client: WooviClient, list: List, { from, to }: PspWindow): AsyncGenerator<unknown[]> {
  for (let start = from.getTime(); start < to.getTime(); start += CHUNK_MS) {
    const end = Math.min(start + CHUNK_MS, to.getTime())
    const query = { start: new Date(start).toISOString(), end: new Date(end).toISOString() }
    yield await listAll(client, list, query)
  }
}

/** Empty for a charge that Woovi doesn't know. */
async function listOfCharge(client: WooviClient, txid: string): Promise<unknown[]> {
  return listAll(client, "transactions", { charge: txid })
}

async function listAll(client: WooviClient, list: List, filter: Record<string, string>): Promise<unknown[]> {
  const items: unknown[] = []
  for (let size = PAGE_SIZE; ; ) {
    const query = new URLSearchParams({ ...filter, skip: String(items.length), limit: String(size) })
    const answer = await askPage(client, `${paths[list]}?${query.toString()}`)
    if (answer !== "too-large" && "charge" in filter && saysNotFound(answer)) return []
    if (size > 1 && (answer === "too-large" || refusedSizes.includes(answer.status))) {
      size = Math.floor(size / 2)
      continue
    }
    if (answer === "too-large") throw new PspError("unknown", "a single row is larger than 1 MB")
    if (!isSuccess(answer)) throw wooviFailureOf(answer)
    if (items.length === 0 && saysNone(answer)) return []
    const page = listSchema.safeParse(answer.body)
    const found = page.success ? page.data[list] : undefined
    if (!page.success || found === undefined) throw new PspError("unknown", `unreadable list of ${list}`)
    items.push(...found)
    if (!page.data.pageInfo.hasNextPage || found.length === 0) return items
  }
}

async function askPage(client: WooviClient, path: string): Promise<Answer | "too-large"> {
  try {
    return await client.request("GET", path)
  } catch (error) {
    if (error instanceof PspError && error.cause instanceof ReplyTooLarge) return "too-large"
    throw error
  }
}
