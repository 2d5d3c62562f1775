import {
  addPasskeyEndpoint,
  listPasskeysEndpoint,
  type PasskeyView,
  passkeyOptionsEndpoint,
  removePasskeyEndpoint,
  renamePasskeyEndpoint,
  stepUpOptionsEndpoint,
} from "@tilinta/contract/api/passkeys-endpoints"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { askForStepUp } from "#domain/people/second-factors/ask-for-passkey"
import { removePasskey, renamePasskey } from "#domain/people/second-factors/change-passkeys"
import { addPasskey, beginPasskey } from "#domain/people/second-factors/enrol-passkey"
import { type KnownPasskey, listPasskeys } from "#domain/people/second-factors/list-passkeys"
import { findRelyingParty, type RelyingParty } from "#domain/people/second-factors/relying-party"
import { getUser } from "#domain/people/users/get-user"
import { readPlatform } from "#domain/platform/settings/read-platform"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import { limitChallenges } from "./limit-tries.ts"
import { actorOf, ownerOf, sellerOf, tokenOf } from "./session-of.ts"

interface Deps {
  db: Db
  clock: Clock
  publicUrl: string
}

/** In a scope of its own, which has a rate limit of its own. */
export function challengeRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  limitChallenges(app, deps)
  serveEndpoint(app, stepUpOptionsEndpoint, async ({ request }) => {
    return { publicKey: await askForStepUp(deps, { userId: sellerOf(request).id, token: tokenOf(request) }) }
  })

  serveEndpoint(app, passkeyOptionsEndpoint, async ({ request }) => {
    const owner = ownerOf(request)
    const [{ email, name }, platform] = await Promise.all([getUser(db, owner.id), readPlatform(db)])
    return { publicKey: await beginPasskey(deps, owner, { platform: platform.name, email, name }) }
  })
}

export function passkeyRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  const relyingParty = findRelyingParty(deps.publicUrl)

  serveEndpoint(app, listPasskeysEndpoint, async ({ request }) => {
    const passkeys = await listPasskeys(db, sellerOf(request).id)
    return {
      passkeys: passkeys.map((passkey) => toPasskeyView(passkey, relyingParty)),
      origin: relyingParty?.origin ?? null,
    }
  })

  serveEndpoint(app, addPasskeyEndpoint, async ({ body, request }) => {
    const { passkey, recoveryCodes } = await addPasskey(deps, ownerOf(request), body)
    return { passkey: toPasskeyView(passkey, relyingParty), recoveryCodes }
  })

  serveEndpoint(app, renamePasskeyEndpoint, async ({ params, body, request }) => {
    const passkey = await renamePasskey(deps, actorOf(request), { id: params.id, name: body.name })
    return { passkey: toPasskeyView(passkey, relyingParty) }
  })

  serveEndpoint(app, removePasskeyEndpoint, async ({ params, request }) => {
    await removePasskey(deps, ownerOf(request), params.id)
  })
}

function toPasskeyView(
  { id, name, createdAt, lastUsedAt, rpId }: KnownPasskey,
  relyingParty: RelyingParty | null,
): PasskeyView {
  return {
    _id: id,
    name,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    answersHere: rpId === relyingParty?.id,
  }
}
