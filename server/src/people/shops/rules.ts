import { isDeepStrictEqual } from "node:util"
import { auditFieldLabels } from "@tilinta/contract/vocabulary/audit"
import { pixKeyText } from "@tilinta/contract/vocabulary/pix-key"
import type { ShopColor } from "@tilinta/contract/vocabulary/shops"
import { documentText } from "@tilinta/contract/vocabulary/typed-data"
import type { Actor, AuditEntry } from "#platform/audit/rules"
import { isAuthentic, type Order } from "#platform/order-macs/macs"

/** A seller as payers see them. */
export interface Shop extends ShopName {
  color: ShopColor
  whatsapp: string
  email: string
  closedText: string
  /** Names the logo's public address; null without a logo. */
  logoDigest: string | null
}

export interface ShopName {
  /** Empty: payers see the seller's own name. */
  name: string
  /** The seller's CPF or a CNPJ, without punctuation; empty without one. */
  document: string
}

/** The form of a seller who has none yet. */
export const noShop: Shop = {
  name: "",
  document: "",
  color: "mint",
  whatsapp: "",
  email: "",
  closedText: "",
  logoDigest: null,
}

/** A name and a document as they were from a moment on. */
export interface ShopNameRow extends ShopName {
  id: string
  sellerId: string
  since: Date
  mac: string
}

/** Signed, so that writing into the database alone makes no document the seller's own. */
export function shopNameOrder({ id, sellerId, name, document, since }: Omit<ShopNameRow, "mac">): Order {
  return { act: "shop.document", id, facts: [sellerId, name, document, since.toISOString()] }
}

/** A document that counts as the seller's own, besides their CPF. */
export interface OwnCnpj {
  cnpj: string
  /** Since when it has been so without a break: no withdrawal to it has waited longer. */
  since: Date
}

/** The names are one seller's, the newest first. Null without a CNPJ, and where a row is not as this platform wrote it. */
export function ownCnpjIn(names: readonly ShopNameRow[]): OwnCnpj | null {
  const document = names[0]?.document
  if (document?.length !== 14) return null
  const other = names.findIndex((row) => row.document !== document)
  const held = other === -1 ? names : names.slice(0, other)
  const first = held.at(-1)
  const isOurs = held.every((row) => isAuthentic(shopNameOrder(row), row.mac))
  return first !== undefined && isOurs ? { cnpj: document, since: first.since } : null
}

/** The fields by which payers know whom they pay, and whom they ask. */
const identity = ["name", "document", "whatsapp", "email"] as const
const presentation = ["color", "closedText"] as const

export function isNamedAnew(before: ShopName, after: ShopName): boolean {
  return before.name !== after.name || before.document !== after.document
}

/** The owner is told of them, with their values. */
export function changesOfIdentity(before: Shop, after: Shop): { label: string; before: string; after: string }[] {
  return identity
    .filter((field) => before[field] !== after[field])
    .map((field) => ({
      label: auditFieldLabels[field],
      before: shownText(field, before[field]),
      after: shownText(field, after[field]),
    }))
}

function shownText(field: (typeof identity)[number], value: string): string {
  if (value === "") return "vazio"
  if (field === "document") return documentText(value)
  return field === "whatsapp" ? pixKeyText({ kind: "phone", key: `+55${value}` }) : value
}

/** Only the differences; null without any. */
export function auditOfShop(
  { before, after }: { before: Shop; after: Shop },
  actor: Actor,
  happenedAt: Date,
): AuditEntry | null {
  const changed = [...identity, ...presentation].filter((field) => !isDeepStrictEqual(before[field], after[field]))
  if (changed.length === 0) return null
  const fieldsOf = (shop: Shop) => Object.fromEntries(changed.map((field) => [field, shop[field]]))
  return {
    actor,
    happenedAt,
    action: "shop.changed",
    entity: "user",
    entityId: actor.id,
    before: fieldsOf(before),
    after: fieldsOf(after),
  }
}
