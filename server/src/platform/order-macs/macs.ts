import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from "node:crypto"
import type { Logger } from "pino"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { DomainError, invariant } from "#kit/errors"
import type { SecretKeys } from "#kit/secrets"
import { notifyAdmins } from "#platform/mails/notify-owner"

/** A person's word that moves money, or a way in. Whoever writes into the database can write the row, and not its MAC. */
export interface Order {
  act: OrderAct
  id: string
  /** All that decides what moves, where to, who said so and when, in a fixed order. */
  facts: readonly unknown[]
}

/** With the words by which administrators know it. */
const actLabels = {
  "withdrawal.request": "Pedido de saque",
  "withdrawal.approval": "Aprovação de saque",
  "withdrawal.rule": "Saque automático",
  "remittance.file": "Remessa",
  "refund.request": "Estorno ou devolução",
  "manual_entry.proposal": "Lançamento manual",
  "settlement.word": "Baixa manual de saque ou estorno",
  "shop.document": "Documento de uma loja",
  "destination.owner": "Titular de um destino",
  "second_approval.word": "Primeira de duas aprovações",
  session: "Sessão",
  passkey: "Chave de acesso",
} as const
type OrderAct = keyof typeof actLabels

interface Held {
  secretKeys: SecretKeys
  log: Logger
}

let held: Held | null = null
const derived = new Map<string, KeyObject>()

/** Once at the start: the process has one SECRETS_KEY, and no caller can then forget to pass it on. */
export function holdOrderKeys(keys: Held): void {
  held = keys
  derived.clear()
}

function heldKeys(): Held {
  invariant(held !== null, "the keys of orders are held before anything is ordered")
  return held
}

/** The key's id and the HMAC, with the first key of SECRETS_KEY. */
export function macOf(order: Order): string {
  return macWith(heldKeys().secretKeys()[0], order)
}

export function isAuthentic(order: Order, mac: string | null): boolean {
  return isMacOf(heldKeys().secretKeys, order, mac)
}

/** Any of the keys will do: a rotation leaves the former one for a while. */
function isMacOf(secretKeys: SecretKeys, order: Order, mac: string | null): boolean {
  if (mac === null) return false
  const known = secretKeys().find(({ id }) => mac.startsWith(`${id}.`))
  if (known === undefined) return false
  const [given, expected] = [Buffer.from(mac), Buffer.from(macWith(known, order))]
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function macWith({ id, key }: ReturnType<SecretKeys>[number], { act, id: orderId, facts }: Order): string {
  const secret = derived.get(id) ?? createSecretKey(Buffer.from(hkdfSync("sha256", key, "", "tilinta orders", 32)))
  derived.set(id, secret)
  const text = JSON.stringify([act, orderId, ...facts])
  return `${id}.${createHmac("sha256", secret).update(text).digest("base64url")}`
}

/** For a rotation: the MAC with the first key. A wrong one stays as it is, or the rotation would make it a good one. */
export function renewedMac(secretKeys: SecretKeys, order: Order, mac: string | null): string | null {
  return isMacOf(secretKeys, order, mac) ? macWith(secretKeys()[0], order) : mac
}

interface Renewal<Row> {
  /** Rows whose MAC another key than the first has made, locked. */
  rows: readonly Row[]
  orderOf(row: Row): Order
  save(row: Row, mac: string | null): Promise<unknown>
}

/** For a rotation; how many rows got another MAC. */
export async function renewMacs<Row extends { mac: string | null }>(
  secretKeys: SecretKeys,
  { rows, orderOf, save }: Renewal<Row>,
): Promise<number> {
  let count = 0
  for (const row of rows) {
    const mac = renewedMac(secretKeys, orderOf(row), row.mac)
    if (mac === row.mac) continue
    await save(row, mac)
    count += 1
  }
  return count
}

/** For LIKE: the MACs that are made with the first key. */
export function currentMacs(secretKeys: SecretKeys): string {
  return `${secretKeys()[0].id}.%`
}

class ForgedOrder extends DomainError {
  readonly order: Order

  constructor(order: Order) {
    super("order_not_authentic")
    this.order = order
  }
}

/** @throws order_not_authentic, which `actOnOrder` turns into an alarm */
export function requireAuthentic(order: Order, mac: string | null): void {
  if (!isAuthentic(order, mac)) throw new ForgedOrder(order)
}

/** Runs an act that requires MACs. Where one is missing or wrong nothing of it stays, and all administrators hear of it. */
export async function actOnOrder<Result>(
  { db, clock }: { db: Db; clock: Clock },
  act: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  try {
    return await db.transaction().execute(act)
  } catch (error) {
    if (error instanceof ForgedOrder) {
      await db.transaction().execute((tx) => reportForgedOrder(tx, error.order, clock.now()))
    }
    throw error
  }
}

/** An alarm each time, and one mail per order. */
export async function reportForgedOrder(tx: Tx, { act, id }: Order, now: Date): Promise<void> {
  heldKeys().log.error({ alarm: "order_not_authentic", act, orderId: id }, "an order is not as this platform wrote it")
  const kind = act === "session" || act === "passkey" ? "access_refused" : "order_refused"
  const notice = { kind, what: actLabels[act], id, refusedAt: now.toISOString() } as const
  await notifyAdmins(tx, { notice, dedupeKey: `order-refused:${act}:${id}` }, now)
}
