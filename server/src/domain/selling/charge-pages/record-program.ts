import { isDeepStrictEqual } from "node:util"
import type { Tx } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { recordAudit } from "#domain/platform/audit/record-audit"
import type { ChargePage } from "./charge-page.ts"

type Action = "created" | "charged" | "changed" | "cancelled" | "deleted"

interface Work {
  action: Action
  before: ChargePage | null
  after: ChargePage | null
}

/**
 * Records what an API key does with a page, so that its owner can tell it from a person's work. A page's texts may name
 * people, and a record can't be erased: it says which of them changed.
 */
export async function recordProgram(
  tx: Tx,
  program: Actor | null | undefined,
  { action, before, after }: Work,
  now: Date,
): Promise<void> {
  const page = after ?? before
  if (program === null || program === undefined || page === null) return
  const changed = before === null || after === null ? [] : changedTexts(before, after)
  const fields = changed.length === 0 ? {} : { fields: changed.join(", ") }
  await recordAudit(tx, {
    actor: program,
    happenedAt: now,
    action: `charge_page.${action}`,
    entity: "charge_page",
    entityId: page.id,
    before: factsOf(before),
    after: { sellerId: page.sellerId, ...factsOf(after), ...fields },
  })
}

function factsOf(page: ChargePage | null) {
  if (page === null) return null
  const { status, amountCents, maxPayments, expiresAt } = page
  return { status, amountCents, maxPayments, expiresAt: expiresAt?.toISOString() ?? null }
}

/** By the names that the API gives them. */
function changedTexts(before: ChargePage, after: ChargePage): string[] {
  const [was, is] = [textsOf(before), textsOf(after)]
  return Object.keys(is).filter((name) => !isDeepStrictEqual(was[name], is[name]))
}

function textsOf({ title, slug, description, order, ...page }: ChargePage): Record<string, unknown> {
  const { allowAnonymous, requireName, requireEmail, requirePhone, requireCpf } = page
  const customerInfo = { allowAnonymous, requireName, requireEmail, requirePhone, requireCpf }
  return { title, slug, description, customerInfo, ...order }
}
