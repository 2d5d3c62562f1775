import type { Logger } from "pino"
import { failureOf } from "#psp/bounded-http"
import { type PaymentReceived, PspError, type PspRefund, type PspWindow } from "#psp/psp"
import { findCharge, isOurKey } from "./api-pix-charges.ts"
import type { ApiPixClient } from "./api-pix-http-client.ts"
import { readRefund } from "./api-pix-refunds.ts"
import { pagesOf, pixPageSchema, receiptSchema } from "./api-pix-schemas.ts"
import { pageQuery } from "./page-query.ts"
import { readMoment } from "./read-moment.ts"
import { readValue } from "./read-value.ts"

interface ReceiptReader {
  /** The provider's name in rows and accounts. */
  name: string
  receiverKey: string
  readsMilliseconds: boolean
  log: Logger
}

/** Large pages cost hardly more than small ones, and even long rows stay below the size limit of answers. */
const PAGE_SIZE = 500

export async function findReceiptsOfCharge(
  client: ApiPixClient,
  reader: ReceiptReader,
  txid: string,
): Promise<PaymentReceived[]> {
  const charge = await findCharge(client, txid)
  return readReceipts(reader, charge?.pix ?? [])
}

/** Null, too, for a receipt under another key of the same account, which isn't ours. */
export async function findReceipt(
  client: ApiPixClient,
  reader: ReceiptReader,
  endToEndId: string,
): Promise<PaymentReceived | null> {
  const answer = await client.request("GET", `/pix/${encodeURIComponent(endToEndId)}`)
  if (answer.status === 404 || answer.status === 400) return null
  if (answer.status !== 200) throw failureOf(answer)
  const receipt = readReceipt(reader, answer.body)
  if (receipt === "unreadable") throw new PspError("unknown", "unreadable receipt")
  return receipt === "another-key" ? null : receipt
}

export async function* listReceipts(
  client: ApiPixClient,
  reader: ReceiptReader,
  window: PspWindow,
  filters: Record<string, string> = {},
): AsyncGenerator<PaymentReceived[]> {
  const asked = reader.readsMilliseconds ? window : wholeSecondsAround(window)
  for (let page = 0, pages = 1; page < pages; page++) {
    const answer = await client.request("GET", `/pix?${pageQuery(asked, { page, size: PAGE_SIZE, filters })}`)
    if (answer.status !== 200) throw failureOf(answer)
    const parsed = pixPageSchema.safeParse(answer.body)
    if (!parsed.success) throw new PspError("unknown", "unreadable list of receipts")
    pages = pagesOf(parsed.data)
    yield readReceipts(reader, parsed.data.pix)
  }
}

function wholeSecondsAround(window: PspWindow): PspWindow {
  if (window.isNarrow !== true) return window
  const second = (moment: Date, round: (seconds: number) => number) => new Date(round(moment.getTime() / 1000) * 1000)
  return { from: second(window.from, Math.floor), to: second(window.to, Math.ceil) }
}

function readReceipts(reader: ReceiptReader, bodies: unknown[]): PaymentReceived[] {
  return bodies.flatMap((body) => {
    const receipt = readReceipt(reader, body)
    if (typeof receipt === "object") return [receipt]
    if (receipt === "unreadable") {
      reader.log.error({ alarm: "unreadable_receipt" }, "a receipt of the provider can't be read")
    }
    return []
  })
}

function readReceipt(
  { name, receiverKey, log }: ReceiptReader,
  body: unknown,
): PaymentReceived | "unreadable" | "another-key" {
  const parsed = receiptSchema.safeParse(body)
  if (!parsed.success) return "unreadable"
  const { endToEndId, txid, valor, horario, chave, devolucoes } = parsed.data
  if (!isOurKey(chave, receiverKey)) return "another-key"
  const amountCents = readValue(valor)
  const paidAt = readMoment(horario)
  if (amountCents === null || amountCents === 0 || paidAt === null) return "unreadable"
  return { provider: name, endToEndId, txid: txid || null, amountCents, paidAt, refunds: readRefunds(log, devolucoes) }
}

function readRefunds(log: Logger, bodies: unknown[] | null | undefined): PspRefund[] {
  return (bodies ?? []).flatMap((body) => {
    const refund = readRefund(body)
    if (refund !== null) return [refund]
    log.error({ alarm: "unreadable_refund" }, "a refund of the provider can't be read")
    return []
  })
}
