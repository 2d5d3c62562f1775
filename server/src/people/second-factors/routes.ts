import {
  addPasskeyEndpoint,
  listPasskeysEndpoint,
  type PasskeyView,
  passkeyOptionsEndpoint,
  removePasskeyEndpoint,
  renamePasskeyEndpoint,
  stepUpOptionsEndpoint,
} from "@tilinta/contract/passkeys"
import {
  beginTotpEndpoint,
  confirmTotpEndpoint,
  readFactorsEndpoint,
  removeTotpEndpoint,
  renewRecoveryCodesEndpoint,
  stepUpEndpoint,
} from "@tilinta/contract/second-factors"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import { qrDataUrl } from "#kit/qr-code"
import type { Protection } from "#kit/request-scope"
import type { SecretKeys } from "#kit/secrets"
import { actorOf, ownerOf, sellerOf, tokenOf } from "#people/sessions/caller"
import { deviceOf } from "#people/users/auth-routes"
import { stepUp, stepUpByPasskey } from "#people/users/log-in"
import { getUser } from "#people/users/reads"
import { limitChallenges, limitTries } from "#people/users/routes"
import { readPlatform } from "#platform/settings/reads"
import {
  addPasskey,
  beginPasskey,
  type KnownPasskey,
  listPasskeys,
  removePasskey,
  renamePasskey,
} from "./enrol-passkey.ts"
import { readFactors } from "./factors.ts"
import { askForStepUp, findRelyingParty, type RelyingParty } from "./prove-passkey.ts"
import { beginTotp, confirmTotp, otpauthUriOf, removeTotp, renewRecoveryCodes } from "./totp.ts"

interface Deps {
  db: Db
  clock: Clock
  secretKeys: SecretKeys
  publicUrl: string
  protection: Protection
}

/** In a scope of its own, which has a rate limit of its own. */
export function stepUpRoutes(app: FastifyInstance, deps: Deps): void {
  limitTries(app, deps)
  serveEndpoint(app, stepUpEndpoint, async ({ body, request }) => {
    const { password, code = null, credential } = body
    const asker = { userId: sellerOf(request).id, token: tokenOf(request), address: request.ip }
    const freshUntil = credential
      ? await stepUpByPasskey(deps, { ...asker, credential })
      : await stepUp(deps, { ...asker, passwordCurrent: password, code, device: deviceOf(request) })
    return { freshUntil: freshUntil.toISOString() }
  })
}

export function secondFactorRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  serveEndpoint(app, readFactorsEndpoint, async ({ request }) => {
    const { totpSince, passkeys, recoveryCodesLeft } = await readFactors(db, sellerOf(request).id)
    const isStepUpRequired = deps.protection === "strict" || totpSince !== null || passkeys > 0
    return {
      totp: totpSince && { enrolledAt: totpSince.toISOString() },
      passkeys,
      recoveryCodesLeft,
      stepUpAsked: isStepUpRequired,
    }
  })

  serveEndpoint(app, beginTotpEndpoint, async ({ request }) => {
    const { id } = sellerOf(request)
    const [{ email }, { name }] = await Promise.all([getUser(db, id), readPlatform(db)])
    const secret = await beginTotp(deps, id)
    const otpauthUri = otpauthUriOf(secret, { issuer: name, account: email })
    const qrCode = qrDataUrl(otpauthUri)
    return { secret, otpauthUri, qrCode }
  })

  serveEndpoint(app, confirmTotpEndpoint, async ({ body, request }) => {
    return { recoveryCodes: await confirmTotp(deps, ownerOf(request), body.code) }
  })

  serveEndpoint(app, removeTotpEndpoint, async ({ request }) => {
    await removeTotp(deps, ownerOf(request))
  })

  serveEndpoint(app, renewRecoveryCodesEndpoint, async ({ request }) => {
    return { recoveryCodes: await renewRecoveryCodes(deps, actorOf(request)) }
  })
}

interface PasskeyDeps {
  db: Db
  clock: Clock
  publicUrl: string
}

/** In a scope of its own, which has a rate limit of its own. */
export function challengeRoutes(app: FastifyInstance, deps: PasskeyDeps): void {
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

export function passkeyRoutes(app: FastifyInstance, deps: PasskeyDeps): void {
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
