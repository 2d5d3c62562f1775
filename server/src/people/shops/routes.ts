import {
  changeShopEndpoint,
  getShopEndpoint,
  putShopLogoEndpoint,
  removeShopLogoEndpoint,
} from "@tilinta/contract/shops"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { readOnlyFiles } from "#http/form-body"
import { limitAddresses } from "#http/rate-limits"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { pictureSquarer } from "#kit/pictures"
import type { Protection } from "#kit/request-scope"
import { proofOf } from "#people/second-factors/guard"
import { actorOf, sellerOf } from "#people/sessions/caller"
import { limitUploads } from "#people/users/routes"
import { changeLogo, changeShop } from "./change.ts"
import { findLogo, readShop } from "./reads.ts"
import { toShopView } from "./views.ts"

interface Deps {
  db: Db
  clock: Clock
  protection: Protection
  payersUrl: string
}

export function shopRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, payersUrl } = deps
  app.addHook("preValidation", async (request) => {
    const { document } = (request.body ?? {}) as { document?: unknown }
    // The one part that a manager may not change.
    if (document !== undefined && sellerOf(request).shopRole !== "owner") throw new DomainError("role_forbidden")
  })
  serveEndpoint(app, getShopEndpoint, async ({ request }) => ({
    shop: toShopView(await readShop(db, sellerOf(request).id), payersUrl),
  }))

  serveEndpoint(app, changeShopEndpoint, async ({ body, request }) => {
    return { shop: toShopView(await changeShop(deps, actorOf(request), body, proofOf(request, deps)), payersUrl) }
  })

  serveEndpoint(app, removeShopLogoEndpoint, async ({ request }) => {
    await changeLogo(deps, actorOf(request), null)
  })
}

/** Apart, as its body is a file and each takes a process for a moment. */
export function shopLogoRoutes(scope: FastifyInstance, deps: Deps): void {
  const squarePicture = pictureSquarer()
  readOnlyFiles(scope)
  limitUploads(scope, deps)
  serveEndpoint(scope, putShopLogoEndpoint, async ({ body, request }) => {
    const logo = await squarePicture(body)
    return { shop: toShopView(await changeLogo(deps, actorOf(request), logo), deps.payersUrl) }
  })
}

const perAddress = { burst: 600, perSecond: 60, keys: 20_000 }

/** Logos for everybody who knows their address, which their content makes. */
export function logoRoutes(scope: FastifyInstance, { db, clock }: { db: Db; clock: Clock }): void {
  limitAddresses(scope, { clock }, perAddress)
  scope.get<{ Params: { file: string } }>("/logos/:file", async ({ params: { file } }, reply) => {
    const [, digest] = /^([\da-f]{32})\.png$/.exec(file) ?? []
    const logo = digest === undefined ? null : await findLogo(db, digest)
    if (logo === null) throw new DomainError("not_found")
    reply.headers({
      "cache-control": "public, max-age=31536000, immutable",
      "cross-origin-resource-policy": "cross-origin",
      "x-robots-tag": "noindex",
    })
    return reply.type("image/png").send(logo)
  })
}
