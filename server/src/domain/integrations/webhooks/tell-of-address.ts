import type { Tx } from "#db/transaction"
import { issueNotMeLink } from "#domain/people/freezes/not-me-links"
import type { Actor } from "#domain/platform/audit/audit-entry"
import { tellOwner } from "#domain/platform/mails/tell-owner"
import type { Webhook } from "./webhook.ts"

interface Change {
  owner: Actor
  formerUrl: string | null
  at: Date
}

/** The owner hears of each address to which events go, whoever entered it: a key does so without a step-up. */
export async function tellOfAddress(
  tx: Tx,
  { sellerId, url }: Pick<Webhook, "sellerId" | "url">,
  { owner: { address }, formerUrl, at }: Change,
): Promise<void> {
  const changedAt = at.toISOString()
  const notice = { kind: "webhook_address", url, formerUrl, changedAt, address } as const
  await tellOwner(tx, { userId: sellerId, notice, notMe: await issueNotMeLink(tx, sellerId, at) }, at)
}
