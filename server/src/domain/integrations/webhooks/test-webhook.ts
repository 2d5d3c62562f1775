import { webhookTestType } from "@tilinta/contract/vocabulary/webhooks"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId, newId } from "#kit/ids"
import type { OutsideAccess } from "#kit/outside-target"
import { attemptDelivery, type Message } from "./attempt-delivery.ts"
import { recordAnswer } from "./record-outcomes.ts"
import type { Outcome, OwnWebhook } from "./webhook.ts"
import { findSigner, lockEndpoints } from "./webhooks-repository.ts"

interface Deps {
  db: Db
  clock: Clock
  dueClock: Clock
  outside: OutsideAccess
}

/** Signed and sent like every event. An endpoint that answers it gets what has waited for it. */
export async function testWebhook(deps: Deps, own: OwnWebhook): Promise<Outcome> {
  const signer = isId(own.id) ? await findSigner(deps.db, own) : undefined
  if (signer === undefined) throw new DomainError("webhook_not_found")
  const outcome = await attemptDelivery(deps, signer, testMessage(deps.clock.now()))
  if (outcome.problem === null) {
    await deps.db.transaction().execute((tx) => noteAnswer(tx, own.id, deps.dueClock.now()))
  }
  return outcome
}

function testMessage(now: Date): Message {
  const id = `evt_test_${newId()}`
  const data = { message: "Evento de teste: nada aconteceu." }
  return { id, body: JSON.stringify({ id, type: webhookTestType, sequence: 0, createdAt: now.toISOString(), data }) }
}

/** A failing one alone: the health of the others is told by their events. */
async function noteAnswer(tx: Tx, id: string, at: Date): Promise<void> {
  for (const endpoint of await lockEndpoints(tx, [id])) {
    if (endpoint.failingSince !== null) await recordAnswer(tx, endpoint, { at, isSlow: false })
  }
}
