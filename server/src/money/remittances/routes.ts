import { Readable } from "node:stream"
import {
  createRemittanceEndpoint,
  getRemittanceEndpoint,
  readRemittanceReturnEndpoint,
} from "@tilinta/contract/remittances"
import type { FastifyInstance } from "fastify"
import { readOnlyFiles } from "#http/form-body"
import { serveEndpoint } from "#http/serve-endpoint"
import { findListedWithdrawals } from "#money/withdrawals/admin-reads"
import { toAdminWithdrawalView } from "#money/withdrawals/views"
import { adminOf, idempotencyKeyOf } from "#people/sessions/caller"
import type { HttpDeps } from "#start/deps"
import { getRemittanceFile, makeRemittance } from "./make.ts"
import { readRemittanceReturn } from "./returns.ts"

const fileOf = (sequence: number, file: string) => ({
  name: `remessa_${String(sequence).padStart(6, "0")}.rem`,
  content: Readable.from([file]),
})

export function remittanceRoutes(
  app: FastifyInstance,
  deps: Pick<HttpDeps, "db" | "clock" | "psp" | "protection" | "nameUsers">,
): void {
  serveEndpoint(app, createRemittanceEndpoint, async ({ body, request }) => {
    const input = { ...body, admin: adminOf(request), idempotencyKey: idempotencyKeyOf(request) }
    const { sequence, file } = await makeRemittance(deps, input)
    return fileOf(sequence, file)
  })

  serveEndpoint(app, getRemittanceEndpoint, async ({ params }) => {
    const sequence = Number(params.sequence)
    return fileOf(sequence, await getRemittanceFile(deps, sequence))
  })

  app.register(async (scope) => {
    readOnlyFiles(scope)
    serveEndpoint(scope, readRemittanceReturnEndpoint, async ({ body, request }) => {
      const entries = await readRemittanceReturn(deps, { file: body, admin: adminOf(request) })
      const listed = await findListedWithdrawals(deps, [
        ...new Set(entries.flatMap(({ withdrawalId }) => withdrawalId ?? [])),
      ])
      const now = deps.clock.now()
      return {
        entries,
        withdrawals: listed.map((each) => toAdminWithdrawalView(each, { payouts: deps.psp.payouts, now })),
      }
    })
  })
}
