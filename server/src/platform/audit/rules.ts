import { isDeepStrictEqual } from "node:util"
import type { AuditAction, AuditEntity } from "@tilinta/contract/vocabulary/audit"
import { type Cents, reaisFromCents } from "@tilinta/contract/vocabulary/money"
import { hiddenText, lastOnes, maskedEmail, maskedPixKey } from "#kit/log"

/** The acting admin or seller, and the request by which they act. */
export interface Actor extends Whence {
  id: string
  /** The member of the seller's team who acts for them; the seller themselves without one. */
  person?: { id: string; name: string }
}

/** The person whose act it is. */
export function personOf({ id, person }: Actor): string {
  return person?.id ?? id
}

/** The origin of a request. Without device and id those of the current request count, which a batch has none of. */
interface Whence {
  address: string | null
  /** The API key with which a program acts for a seller. */
  apiKeyId?: string | null
  /** The user agent. */
  device?: string | null
  requestId?: string | null
}

export interface AuditEntry {
  actor: Actor | null
  /** For a request by which nobody is known to act, as a login that fails. */
  whence?: Whence
  happenedAt: Date
  action: AuditAction
  entity: AuditEntity
  entityId: string
  before: object | null
  after: object | null
}

/** A search text may contain anybody's e-mail or number. */
function maskedSearch(text: string): string {
  return text.replace(/(?<!\S)\S+@\S+/g, maskedEmail).replace(/\d[\d.\s/-]{5,}\d/g, (number) => lastOnes(number, 4))
}

const masks: Readonly<Record<string, (text: string) => string>> = {
  email: maskedEmail,
  phone: (text) => lastOnes(text, 4),
  whatsapp: (text) => lastOnes(text, 4),
  document: (text) => lastOnes(text, 4),
  search: maskedSearch,
  "address.street": () => hiddenText,
  "address.number": () => hiddenText,
  "address.complement": () => hiddenText,
  "address.neighborhood": () => hiddenText,
  "address.zipCode": (text) => lastOnes(text, 3),
  "bankAccount.agency": (text) => lastOnes(text, 2),
  "bankAccount.account": (text) => lastOnes(text, 4),
  "bankAccount.pixKey": maskedPixKey,
}

/** An auditor must see that it changed, not the value. */
function maskedValue(field: string, value: string): string {
  return masks[field]?.(value) ?? value
}

export type RecordedFields = Record<string, unknown>
type Scalar = string | number | boolean | null

export interface RecordedChange {
  field: string
  before: Scalar
  after: Scalar
}

/** Ids of other things, which are shown as links or names instead. */
const namesOfThings = new Set(["sellerId", "shopId", "userId", "chargeId", "acceptedChargeId", "refundId"])

/** The differing fields, with objects broken into parts; personal identifiers are masked. */
export function recordedChanges(before: RecordedFields | null, after: RecordedFields | null): RecordedChange[] {
  const [was, is] = [flat(before ?? {}), flat(after ?? {})]
  const fields = new Set([...Object.keys(was), ...Object.keys(is)])
  return [...fields]
    .filter((field) => !namesOfThings.has(field) && !isDeepStrictEqual(given(was[field]), given(is[field])))
    .map((field) => ({ field, before: shown(field, given(was[field])), after: shown(field, given(is[field])) }))
    .map(inReais)
}

function flat(fields: RecordedFields, prefix = ""): RecordedFields {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.entries(flat(value as RecordedFields, `${prefix}${name}.`))
        : [[prefix + name, value]],
    ),
  )
}

/** Fields never filled in and fields emptied are the same to people. */
function given(value: unknown): unknown {
  return value === undefined || value === "" ? null : value
}

function shown(field: string, value: unknown): Scalar {
  if (typeof value === "string") return maskedValue(field, value)
  if (typeof value === "number" || typeof value === "boolean") return value
  return Array.isArray(value) ? value.join(", ") : null
}

function inReais({ field, before, after }: RecordedChange): RecordedChange {
  if (!field.endsWith("Cents")) return { field, before, after }
  return { field: field.slice(0, -"Cents".length), before: reais(before), after: reais(after) }
}

function reais(value: Scalar): Scalar {
  return typeof value === "number" ? reaisFromCents(value as Cents) : value
}
