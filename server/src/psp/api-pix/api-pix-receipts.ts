import { addCents, noMoney } from "@tilinta/contract/vocabulary/money"
import { parsePixKey } from "@tilinta/contract/vocabulary/pix-key"
import { failureOf } from "#psp/bounded-http"
import { type PaymentParts, type PaymentReceived, PspError, type PspRefund, type PspWindow } from "#psp/psp"
import type { UnreadableEntries } from "#psp/unreadable-entries"
import { findCharge, isOurKey } from "./api-pix-charges.ts"
import type { ApiPixClient } from "./api-pix-http-client.ts"
import { readRefund } from "./api-pix-refunds.ts"
import { pagesOf, pixPageSchema, receiptSchema } from "./api-pix-schemas.ts"
import { listPages, readValue } from "./list-pages.ts"
import { shownText } from "./token.ts"

export interface ReceiptReader {
  /** The provider's name in rows and accounts. */
  name: string
  receiverKey: string
  readsMilliseconds: boolean
  unreadable: UnreadableEntries
}

/** Large pages cost hardly more than small ones. */
const PAGE_SIZE = 500

export async function findReceiptsOfCharge(
  client: ApiPixClient,
  reader: ReceiptReader,
  txid: string,
): Promise<PaymentReceived[]> {
  const charge = await findCharge(client, txid)
  return readReceipts(client, reader, charge?.pix ?? [])
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
  const receipt = readReceipt(client, reader, answer.body)
  if (receipt === "unreadable") {
    if (isNamed(answer.body, endToEndId)) reader.unreadable.record("receipt", answer.body)
    throw new PspError("unknown", "unreadable receipt")
  }
  return receipt === "another-key" ? null : receipt
}

/** An answer that was cut off, or a proxy's page, says nothing about the receipt, which is asked for again. */
function isNamed(body: unknown, endToEndId: string): boolean {
  return typeof body === "object" && body !== null && "endToEndId" in body && body.endToEndId === endToEndId
}

export async function* listReceipts(
  client: ApiPixClient,
  reader: ReceiptReader,
  window: PspWindow,
  filters: Record<string, string> = {},
): AsyncGenerator<PaymentReceived[]> {
  const queried = reader.readsMilliseconds ? window : wholeSecondsAround(window)
  yield* listPages(client, { path: "/pix", window: queried, size: PAGE_SIZE, filters }, (body) => {
    const parsed = pixPageSchema.safeParse(body)
    if (!parsed.success) throw new PspError("unknown", "unreadable list of receipts")
    return { rows: readReceipts(client, reader, parsed.data.pix), pages: pagesOf(parsed.data) }
  })
}

function wholeSecondsAround(window: PspWindow): PspWindow {
  if (window.isNarrow !== true) return window
  const second = (moment: Date, round: (seconds: number) => number) => new Date(round(moment.getTime() / 1000) * 1000)
  return { from: second(window.from, Math.floor), to: second(window.to, Math.ceil) }
}

export function readReceipts(client: ApiPixClient, reader: ReceiptReader, bodies: unknown[]): PaymentReceived[] {
  return bodies.flatMap((body) => {
    const receipt = readReceipt(client, reader, body)
    if (typeof receipt === "object") return [receipt]
    if (receipt === "unreadable") reader.unreadable.record("receipt", body)
    return []
  })
}

/** A key that is none, such as a masked one, may be ours: people look it up. */
function readReceipt(
  client: ApiPixClient,
  { name, receiverKey, unreadable }: ReceiptReader,
  body: unknown,
): PaymentReceived | "unreadable" | "another-key" {
  const parsed = receiptSchema.safeParse(body)
  if (!parsed.success) return "unreadable"
  const { endToEndId, txid, valor, horario, chave, devolucoes, componentesValor, pagador, gnExtras } = parsed.data
  if (!isOurKey(chave, receiverKey)) return parsePixKey(chave ?? "") === null ? "unreadable" : "another-key"
  const amountCents = readValue(valor)
  const paidAt = client.stamps.read(horario)
  if (amountCents === null || amountCents === 0 || paidAt === null) return "unreadable"
  const refunds = readRefunds(client, unreadable, endToEndId, devolucoes)
  const parts = readParts(componentesValor ?? {})
  const payerName = shownText((pagador ?? gnExtras?.pagador)?.nome ?? "")
  const extras = { ...(parts && { parts }), ...(payerName !== undefined && { payerName }) }
  return { provider: name, endToEndId, txid: txid || null, amountCents, paidAt, refunds, ...extras }
}

/** Null without the original; a part that is left out is none. */
function readParts(parts: Record<string, string | number | null>): PaymentParts | null {
  const { original, desconto, abatimento, multa, juros } = parts
  const originalCents = readValue(original)
  if (originalCents === null) return null
  const cents = (part: string | number | null | undefined) => readValue(part) ?? noMoney
  return {
    originalCents,
    discountCents: addCents(cents(desconto), cents(abatimento)),
    fineCents: cents(multa),
    interestCents: cents(juros),
  }
}

function readRefunds(
  client: ApiPixClient,
  unreadable: UnreadableEntries,
  paymentId: string,
  bodies: unknown[] | null | undefined,
): PspRefund[] {
  return (bodies ?? []).flatMap((body) => {
    const refund = readRefund(client, body)
    if (refund !== null) return [refund]
    unreadable.record("refund", body, { paymentId })
    return []
  })
}
