import type { WebhookProblem } from "@tilinta/contract/vocabulary/webhooks"
import { sql } from "kysely"
import { type OneStatement, oneStatement } from "#db/one-statement"
import { prepared } from "#db/prepared"
import type { Tx } from "#db/transaction"

interface Outage {
  endpointId: string
  sellerId: string
  url: string
  since: Date
  problem: WebhookProblem
}

/** Outages since that moment or longer of which nobody was told, noted as told. */
export async function noteTold(tx: Tx, { since, limit }: { since: Date; limit: number }): Promise<Outage[]> {
  const { rows } = await sql<Outage>`
    update webhook_endpoints set told_failing_since = failing_since
    where id in (
      select id from webhook_endpoints
      where deleted_at is null and failing_since <= ${since} and told_failing_since is distinct from failing_since
      order by id limit ${limit} for no key update skip locked
    )
    returning id as "endpointId", seller_id as "sellerId", url, failing_since as since, last_problem as problem`.execute(
    tx,
  )
  return rows
}

interface Asking {
  now: Date
  /** The last try of the oldest delivery. */
  triedBefore: Date
}

/** Makes the oldest delivery due of each failing endpoint that has none queued. */
export function queueOldestOfSilent({ now, triedBefore }: Asking): OneStatement<void> {
  return oneStatement(
    prepared("queue-oldest-of-silent-webhooks")`
    with silent as materialized (
      select oldest.id from webhook_endpoints endpoint
      cross join lateral (
        select id, attempted_at from webhook_deliveries
        where endpoint_id = endpoint.id and delivered_at is null order by sequence limit 1
      ) oldest
      where endpoint.deleted_at is null and endpoint.failing_since <= ${triedBefore}
        and oldest.attempted_at <= ${triedBefore}
        and not exists (
          select from webhook_deliveries queued
          where queued.endpoint_id = endpoint.id and queued.next_attempt_at is not null
        )
    )
    update webhook_deliveries set next_attempt_at = ${now}
    where id in (
      select delivery.id from webhook_deliveries delivery join silent on silent.id = delivery.id
      where delivery.next_attempt_at is null and delivery.delivered_at is null
      for update of delivery skip locked
    )`,
    () => undefined,
  )
}
