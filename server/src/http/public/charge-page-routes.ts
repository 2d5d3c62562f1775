import { getChargePageEndpoint } from "@tilinta/contract/api/charge-pages-endpoints"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { getOwnChargePage } from "#domain/selling/charge-pages/find-charge-page"
import { findPublicChargePage } from "#domain/selling/charge-pages/find-public-charge-page"
import { toChargePageView, toPublicChargePageView } from "#http/charge-page-view"
import { sessionOf } from "#http/seller/session-of"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import { isStorableLink } from "./storable-link.ts"

/** The parameter's shape decides the view, never the header: an `_id` is the owner's. */
export function publicChargePageRoutes(app: FastifyInstance, deps: { db: Db; clock: Clock }): void {
  serveEndpoint(app, getChargePageEndpoint, async ({ params, request }) => {
    if (!isId(params.id)) return { checkoutPage: await publicView(deps, params.id) }
    const user = await sessionOf(deps, request)
    if (user === null) throw new DomainError("unauthenticated")
    return { checkoutPage: toChargePageView(await getOwnChargePage(deps, { id: params.id, sellerId: user.id })) }
  })
}

async function publicView({ db, clock }: { db: Db; clock: Clock }, link: string) {
  const found = isStorableLink(link) ? await findPublicChargePage(db, clock, link) : null
  if (found === null) throw new DomainError("public_charge_page_not_found")
  return toPublicChargePageView(found)
}
