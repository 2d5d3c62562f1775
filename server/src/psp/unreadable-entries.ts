import { hash } from "node:crypto"
import type { CloseKind } from "@tilinta/contract/vocabulary/books"
import type { Logger } from "pino"
import type { UnreadableEntry } from "./psp.ts"

export interface UnreadableEntries {
  record(kind: CloseKind, body: unknown, where?: { paymentId: string }): void
  /** Entries since the last call. */
  take(): UnreadableEntry[]
}

const MOST = 1_000
const LONGEST = 64
const messages = {
  receipt: "a receipt of the provider can't be read",
  refund: "a refund of the provider can't be read",
  payout: "a payout of the provider can't be read",
} as const satisfies Record<CloseKind, string>

/** Entries of a provider's lists that can't be read: kept for people, because nothing else in the books shows them. */
export function createUnreadableEntries(log: Logger): UnreadableEntries {
  const entries = new Map<string, UnreadableEntry>()

  return {
    record(kind, body, where) {
      const fields = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>
      const { endToEndId, e2eId, idEnvio, correlationID, id, valor, value, horario, time } = fields
      const own = (kind === "payout" ? [idEnvio, correlationID] : []).concat(kind === "refund" ? [id] : [])
      const name = textOf([...own, endToEndId, e2eId, id]) ?? `sem-id-${hash("sha256", bodyText(body)).slice(0, 16)}`
      const reference = where === undefined ? name : `${where.paymentId}/${name}`
      log.error(
        { alarm: `unreadable_${kind}`, endToEndId: textOf([endToEndId, e2eId, where?.paymentId]), reference },
        messages[kind],
      )
      if (entries.size >= MOST) return
      const happenedAt = momentOf(textOf([horario, time]))
      entries.set(`${kind} ${reference}`, { kind, reference, amountText: textOf([valor, value]) ?? "", happenedAt })
    },
    take() {
      const taken = [...entries.values()]
      entries.clear()
      return taken
    },
  }
}

function bodyText(body: unknown): string {
  return JSON.stringify(body) ?? "nothing"
}

/** The first that is short and printable. */
function textOf(values: unknown[]): string | undefined {
  return values
    .flatMap((value) => (typeof value === "string" || typeof value === "number" ? [String(value).trim()] : []))
    .find((text) => text.length <= LONGEST && /^[ -~]+$/.test(text))
}

function momentOf(text: string | undefined): Date | null {
  const moment = new Date(text ?? "")
  return text === undefined || Number.isNaN(moment.getTime()) ? null : moment
}
