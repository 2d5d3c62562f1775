import { isDeepStrictEqual } from "node:util"
import { type Cents, reaisFromCents } from "@tilinta/contract/vocabulary/money"
import { maskedValue } from "./masked-value.ts"

export type RecordedFields = Record<string, unknown>
type Scalar = string | number | boolean | null

export interface RecordedChange {
  field: string
  before: Scalar
  after: Scalar
}

/** Ids of other things, which are shown as links or names instead. */
const namesOfThings = new Set(["sellerId", "userId", "chargeId", "acceptedChargeId", "refundId"])

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
