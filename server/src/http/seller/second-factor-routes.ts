import {
  beginTotpEndpoint,
  confirmTotpEndpoint,
  readFactorsEndpoint,
  removeTotpEndpoint,
  renewRecoveryCodesEndpoint,
  stepUpEndpoint,
} from "@tilinta/contract/api/second-factors-endpoints"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { beginTotp, confirmTotp, removeTotp } from "#domain/people/second-factors/enrol-totp"
import { readFactors } from "#domain/people/second-factors/find-factors"
import { renewRecoveryCodes } from "#domain/people/second-factors/replace-recovery-codes"
import { otpauthUriOf } from "#domain/people/second-factors/totp"
import { getUser } from "#domain/people/users/get-user"
import { stepUp } from "#domain/people/users/step-up"
import { stepUpByPasskey } from "#domain/people/users/step-up-by-passkey"
import { readPlatform } from "#domain/platform/settings/read-platform"
import { deviceOf } from "#http/device-cookie"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import type { Protection } from "#kit/protection"
import { qrSvg } from "#kit/qr-code"
import type { SecretKeys } from "#kit/secret-box"
import { limitTries } from "./limit-tries.ts"
import { actorOf, ownerOf, sellerOf, tokenOf } from "./session-of.ts"

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
    const stepUpAsked = deps.protection === "strict" || totpSince !== null || passkeys > 0
    return { totp: totpSince && { enrolledAt: totpSince.toISOString() }, passkeys, recoveryCodesLeft, stepUpAsked }
  })

  serveEndpoint(app, beginTotpEndpoint, async ({ request }) => {
    const { id } = sellerOf(request)
    const [{ email }, { name }] = await Promise.all([getUser(db, id), readPlatform(db)])
    const secret = await beginTotp(deps, id)
    const otpauthUri = otpauthUriOf(secret, { issuer: name, account: email })
    const qrCode = `data:image/svg+xml;base64,${Buffer.from(qrSvg(otpauthUri)).toString("base64")}`
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
