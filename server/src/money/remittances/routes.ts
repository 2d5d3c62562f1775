import { Readable } from "node:stream"
import { createRemittanceEndpoint, readRemittanceReturnEndpoint } from "@tilinta/contract/remittances"
import type { FastifyInstance } from "fastify"
import { readOnlyFiles } from "#http/form-body"
import { serveEndpoint } from "#http/serve-endpoint"
import { adminOf, idempotencyKeyOf } from "#people/sessions/caller"
import type { HttpDeps } from "#start/deps"
import { makeRemittance } from "./make.ts"
import { readRemittanceReturn } from "./returns.ts"

export function remittanceRoutes(
  app: FastifyInstance,
  deps: Pick<HttpDeps, "db" | "clock" | "psp" | "protection">,
): void {
  serveEndpoint(app, createRemittanceEndpoint, async ({ body, request }) => {
    const input = { ...body, admin: adminOf(request), idempotencyKey: idempotencyKeyOf(request) }
    const { sequence, file } = await makeRemittance(deps, input)
    return { name: `remessa_${String(sequence).padStart(6, "0")}.rem`, content: Readable.from([file]) }
  })

  app.register(async (scope) => {
    readOnlyFiles(scope)
    serveEndpoint(scope, readRemittanceReturnEndpoint, async ({ body, request }) => {
      return { entries: await readRemittanceReturn(deps, { file: body, admin: adminOf(request) }) }
    })
  })
}
