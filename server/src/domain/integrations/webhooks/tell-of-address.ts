import type { Tx } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { enqueueMails } from "#domain/platform/mails/enqueue-mails"
import { newId } from "#kit/ids"
import type { Webhook } from "./webhook.ts"

interface Change {
  owner: Actor
  formerUrl: string | null
  at: Date
}

/** The owner hears of each address to which events go, whoever entered it. */
export async function tellOfAddress(
  tx: Tx,
  { id, sellerId, url }: Pick<Webhook, "id" | "sellerId" | "url">,
  { owner: { address }, formerUrl, at }: Change,
): Promise<void> {
  const changedAt = at.toISOString()
  const content = { kind: "webhook_address", url, formerUrl, changedAt, address } as const
  await enqueueMails(tx, [{ userId: sellerId, dedupeKey: `webhook-address:${id}:${newId()}`, content }], at)
}
