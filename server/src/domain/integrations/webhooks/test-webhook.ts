import { webhookTestType } from "@tilinta/contract/vocabulary/webhooks"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId, newId } from "#kit/ids"
import type { OutsideAccess } from "#kit/outside-target"
import type { SecretKeys } from "#kit/secret-box"
import { attemptDelivery, type Message } from "./attempt-delivery.ts"
import { answering } from "./record-outcomes.ts"
import type { Outcome, OwnWebhook } from "./webhook.ts"
import { signingSecrets, webhookSecretOpener } from "./webhook-box.ts"
import { findSigner, lockEndpoints, saveHealths } from "./webhooks-repository.ts"

interface Deps {
  db: Db
  clock: Clock
  dueClock: Clock
  outside: OutsideAccess
  secretKeys: SecretKeys
}

/** Signed and sent like every event. An endpoint that answers it gets what has waited for it. */
export async function testWebhook(deps: Deps, own: OwnWebhook): Promise<Outcome> {
  const signer = isId(own.id) ? await findSigner(deps.db, own) : undefined
  if (signer === undefined) throw new DomainError("webhook_not_found")
  const now = deps.clock.now()
  const secrets = signingSecrets(webhookSecretOpener(deps.secretKeys), signer, now)
  const outcome = await attemptDelivery(deps, { ...signer, secrets }, testMessage(now))
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
  const failing = (await lockEndpoints(tx, [id])).filter(({ failingSince }) => failingSince !== null)
  await saveHealths(
    tx,
    failing.map((endpoint) => answering(endpoint, { at, isSlow: false })),
  )
}
