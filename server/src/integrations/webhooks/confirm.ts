import { type WebhookProblem, webhookChallengeType } from "@tilinta/contract/vocabulary/events"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { newId } from "#kit/ids"
import type { OutsideAccess } from "#kit/outside"
import { newToken, type SecretKeys } from "#kit/secrets"
import { attemptDelivery, healthAfterGone, healthAfterSuccess, type Message } from "./deliver.ts"
import { type FreshOutcome, nextAttemptAfter, notBefore } from "./rules.ts"
import { signingSecrets, webhookSecretOpener } from "./secrets.ts"
import { type EndpointHealth, lockEndpoints, type Signer, saveHealths } from "./table.ts"

interface Deps {
  db: Db
  clock: Clock
  dueClock: Clock
  outside: OutsideAccess
  secretKeys: SecretKeys
}

/**
 * Asks an address whether it wants the seller's events: only a program that reads what it gets can answer with the word, so
 * that nobody makes us send requests to somebody else's site. What waits is sent from then on.
 */
export async function challengeEndpoint(deps: Deps, signer: Signer): Promise<FreshOutcome> {
  const now = deps.clock.now()
  const word = newToken()
  const secrets = signingSecrets(webhookSecretOpener(deps.secretKeys), signer, now)
  const outcome = await attemptDelivery(deps, { ...signer, secrets }, challengeMessage(word, now))
  const problem = outcome.problem ?? (isAnswered(outcome.answer ?? "", word) ? null : "unconfirmed")
  const judged = { ...outcome, problem }
  await deps.db.transaction().execute((tx) => recordChallenge(tx, signer, judged, deps.dueClock.now()))
  return judged
}

function challengeMessage(challenge: string, now: Date): Message {
  const id = `evt_challenge_${newId()}`
  const event = { id, type: webhookChallengeType, sequence: 0, createdAt: now.toISOString(), data: { challenge } }
  return { id, body: JSON.stringify(event) }
}

/** The word alone, as text or JSON, or as `challenge` of an object. A site that echoes whatever it gets has not read it. */
function isAnswered(answer: string, word: string): boolean {
  if (answer.trim() === word) return true
  try {
    const read = JSON.parse(answer) as { challenge?: unknown } | string | null
    return read === word || (typeof read === "object" && read?.challenge === word)
  } catch {
    return false
  }
}

/** Nothing for an address that was changed, deleted or confirmed meanwhile. */
async function recordChallenge(tx: Tx, signer: Signer, outcome: FreshOutcome, at: Date): Promise<void> {
  const [endpoint] = await lockEndpoints(tx, [signer.endpointId])
  if (endpoint === undefined || endpoint.url !== signer.url || endpoint.confirmedAt !== null) return
  await saveHealths(tx, [outcome.problem === null ? confirmed(endpoint, at) : refused(endpoint, outcome, at)])
}

function confirmed(endpoint: EndpointHealth, at: Date): EndpointHealth {
  const { lastDeliveredAt } = endpoint
  return { ...healthAfterSuccess(endpoint, { at, isSlow: false }), lastDeliveredAt, confirmedAt: at }
}

function refused(endpoint: EndpointHealth, outcome: FreshOutcome, at: Date): EndpointHealth {
  if (outcome.problem === "gone") return { ...healthAfterGone(endpoint, at), failingSince: endpoint.failingSince }
  const failuresInRow = endpoint.failuresInRow + 1
  const restUntil = nextAttemptAfter(failuresInRow, at)
  const lastProblem: WebhookProblem | null = outcome.problem
  return { ...endpoint, failuresInRow, restUntil: restUntil && notBefore(restUntil, outcome, at), lastProblem }
}
