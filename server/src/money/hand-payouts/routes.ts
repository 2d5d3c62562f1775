import { claimWithdrawalEndpoint, releaseWithdrawalEndpoint } from "@tilinta/contract/hand-payouts"
import type { FastifyInstance } from "fastify"
import { serveEndpoint } from "#http/serve-endpoint"
import { qrPng } from "#kit/qr-code"
import { describeWithdrawal } from "#money/withdrawals/admin-reads"
import { toAdminWithdrawalView, toClaimView } from "#money/withdrawals/views"
import { adminOf } from "#people/sessions/caller"
import { readOwnNameOnly } from "#platform/settings/reads"
import type { HttpDeps } from "#start/deps"
import { claimWithdrawal, releaseWithdrawal } from "./claim.ts"

export function handPayoutRoutes(
  app: FastifyInstance,
  deps: Pick<HttpDeps, "db" | "clock" | "psp" | "nameUsers" | "protection">,
): void {
  serveEndpoint(app, claimWithdrawalEndpoint, async ({ params, body, request }) => {
    const claiming = { id: params.id, admin: adminOf(request), isChecked: body.checked, shownHolder: body.holder }
    const { withdrawal, claim, earlier, debitedOn, code, holder } = await claimWithdrawal(deps, claiming)
    const described = await describeWithdrawal(deps, withdrawal)
    const { owner } = described.owned
    const asksHolder = owner === "unknown" && (await readOwnNameOnly(deps.db, deps.protection)) !== "off"
    return {
      claim: claim && toClaimView(claim),
      earlier: earlier && { by: { _id: earlier.by.id, name: earlier.by.name }, at: earlier.at.toISOString() },
      debitedOn,
      pix: code && { pixCode: code.text, pixQrCodeBase64: qrPng(code.text).toString("base64"), txid: code.txid },
      holder,
      asksHolder,
      withdrawal: toAdminWithdrawalView(described, { payouts: deps.psp.payouts, now: deps.clock.now() }),
    }
  })

  serveEndpoint(app, releaseWithdrawalEndpoint, async ({ params, request }) => {
    await releaseWithdrawal(deps, { id: params.id, admin: adminOf(request) })
  })
}
