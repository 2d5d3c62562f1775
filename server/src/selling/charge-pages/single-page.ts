import type { Cents } from "@tilinta/contract/vocabulary/money"
import { noPayerFlags } from "@tilinta/contract/vocabulary/payer-data"
import { COUNTER_MINUTES } from "@tilinta/contract/vocabulary/shops"
import type { Db, Tx } from "#db/transaction"
import { secondsAfter } from "#kit/clock"
import { brokenRule } from "#kit/errors"
import { newId, newUniqueLink, randomAlphanumeric } from "#kit/ids"
import type { Actor } from "#platform/audit/rules"
import { appendEvents } from "#platform/event-log/append"
import { findOrderOfPage, insertPage, recordDelegate } from "./create.ts"
import { getCreation } from "./reads.ts"
import { type ChargePage, expiryFrom, noOrder, type Order } from "./rules.ts"
import { lockSinglePageRows, markChargePageDeleted, markReferenceReleased } from "./table.ts"

export interface SinglePageInput {
  sellerId: string
  description: string
  amountCents: Cents
  order: Order
  /** Ignored where `expiresAt` says it exactly. */
  expiresInHours: number
  expiresAt: Date | null
  /** The person at the counter; null away from it. */
  soldBy?: string | null
  /** The API key or member of the team that acts; absent for the seller. */
  delegate?: Actor | null
}

const HOUR_MS = 3_600_000
const LEAST_MS = 60_000
const MOST_HOURS = 168
const TITLE_MAX = 100
/** No one may guess the link of somebody's order, so its slug is as random as its unique link. */
const SLUG_LENGTH = 20

/** A page of one charge, which asks its payer for nothing: the seller's system knows them. @throws validation_failed */
export function draftSinglePage(input: SinglePageInput, now: Date): ChargePage {
  const expiresAt = input.soldBy
    ? secondsAfter(now, COUNTER_MINUTES * 60)
    : (input.expiresAt ?? expiryFrom(now, input.expiresInHours))
  const leftMs = (expiresAt?.getTime() ?? 0) - now.getTime()
  if (leftMs < LEAST_MS || leftMs > MOST_HOURS * HOUR_MS) {
    throw brokenRule("expiresAt", "O prazo deve ficar entre 1 minuto e 168 horas a partir de agora.")
  }
  return {
    ...draftPage(input, now),
    isUnlisted: Boolean(input.soldBy),
    title: titleOf(input, input.soldBy ? "Venda no balcão" : "Cobrança avulsa"),
    expiresInHours: Math.ceil(leftMs / HOUR_MS),
    expiresAt,
  }
}

type PageFacts = Pick<SinglePageInput, "sellerId" | "description" | "amountCents" | "order">

/** The page of an invoice, which ends with it. */
export function draftInvoicePage(facts: PageFacts, now: Date): ChargePage {
  return {
    ...draftPage(facts, now),
    title: titleOfInvoice(facts),
    expiresInHours: 0,
    expiresAt: null,
    isInvoice: true,
    isUnlisted: true,
  }
}

export function titleOfInvoice(facts: Pick<PageFacts, "description" | "order">): string {
  return titleOf(facts, "Cobrança")
}

function draftPage(input: PageFacts, now: Date): Omit<ChargePage, "title" | "expiresInHours" | "expiresAt"> {
  return {
    id: newId(),
    sellerId: input.sellerId,
    description: input.description,
    amountCents: input.amountCents,
    choice: null,
    uniqueLink: newUniqueLink(),
    slug: randomAlphanumeric(SLUG_LENGTH).toLowerCase(),
    status: "active",
    allowAnonymous: true,
    ...noPayerFlags,
    maxPayments: 1,
    isSingle: true,
    isInvoice: false,
    isUnlisted: false,
    order: input.order,
    paymentsCount: 0,
    suspension: null,
    createdAt: now,
    updatedAt: now,
  }
}

function titleOf(
  { description, order: { externalReference } }: Pick<PageFacts, "description" | "order">,
  otherwise: string,
): string {
  const [line = ""] = description.split(/[\r\n]/)
  if (line.trim() !== "") return shortened(line.trim())
  return externalReference === null ? otherwise : shortened(`Pedido ${externalReference}`)
}

function shortened(text: string): string {
  const characters = [...text]
  return characters.length <= TITLE_MAX ? text : `${characters.slice(0, TITLE_MAX - 1).join("")}…`
}

/** @throws external_reference_taken, validation_failed */
export async function insertSinglePage(tx: Tx, page: ChargePage, delegate?: Actor | null): Promise<void> {
  const stored = await insertPage(tx, page)
  await recordDelegate(tx, delegate, { action: "charged", before: null, after: stored }, page.createdAt)
}

/** The facts of a single page for the answer to a repeated request, whatever became of the page. */
export async function readSinglePage(db: Db, id: string): Promise<{ uniqueLink: string; order: Order }> {
  const [{ uniqueLink }, order] = await Promise.all([getCreation(db, id), findOrderOfPage(db, id)])
  return { uniqueLink, order: order ?? noOrder }
}

/** Those of the pages that are single ones and not deleted, locked in the order of ids. */
export async function lockSinglePages(tx: Tx, ids: string[]): Promise<string[]> {
  return lockSinglePageRows(tx, ids)
}

/** Takes back a page whose charge never came into being, so that nothing of it is listed and its reference is free. */
export async function discardSinglePage(tx: Tx, id: string, now: Date): Promise<void> {
  await appendEvents(tx, "page.deleted", [id], now)
  await markChargePageDeleted(tx, id, now)
  await markReferenceReleased(tx, id)
}
