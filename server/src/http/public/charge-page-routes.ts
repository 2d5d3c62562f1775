import { getChargePageEndpoint } from "@tilinta/contract/api/charge-pages-endpoints"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { getOwnChargePage } from "#domain/selling/charge-pages/find-charge-page"
import { lookAtPublicPage } from "#domain/selling/charge-pages/find-public-charge-page"
import type { AdmitKey } from "#http/api-key-gate"
import { toChargePageView, toPublicChargePageView } from "#http/charge-page-view"
import { callerOf } from "#http/seller/session-of"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/domain-error"
import { isId } from "#kit/ids"
import { isStorableLink } from "./storable-link.ts"

interface Deps {
  db: Db
  clock: Clock
  admitKey: AdmitKey
}

/** The parameter's shape decides the view, never the header: an `_id` is the owner's. */
export function publicChargePageRoutes(app: FastifyInstance, deps: Deps): void {
  serveEndpoint(app, getChargePageEndpoint, async ({ params, request, reply }) => {
    if (!isId(params.id)) return { checkoutPage: await publicView(deps, params.id) }
    const { id: sellerId } = await callerOf(deps, request, reply)
    return { checkoutPage: toChargePageView(await getOwnChargePage(deps, { id: params.id, sellerId })) }
  })
}

async function publicView({ db, clock }: { db: Db; clock: Clock }, link: string) {
  if (!isStorableLink(link)) throw new DomainError("public_charge_page_not_found")
  const { found, hiddenBy } = await lookAtPublicPage(db, clock, link)
  if (hiddenBy !== null) throw new DomainError(hiddenBy)
  return toPublicChargePageView(found)
}
