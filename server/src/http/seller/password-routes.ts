import { updateMyPasswordEndpoint } from "@tilinta/contract/api/auth-endpoints"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { changePassword } from "#domain/people/users/change-password"
import { bearerTokenOf } from "#http/bearer-token"
import { deviceOf } from "#http/device-cookie"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import { sellerOf } from "./session-of.ts"

export function passwordRoutes(app: FastifyInstance, deps: { db: Db; clock: Clock }): void {
  serveEndpoint(app, updateMyPasswordEndpoint, async ({ body, request }) => {
    await changePassword(deps, {
      userId: sellerOf(request).id,
      passwordCurrent: body.passwordCurrent,
      password: body.password,
      token: bearerTokenOf(request) ?? "",
      address: request.ip,
      device: deviceOf(request),
    })
    return { message: "Senha atualizada com sucesso!" }
  })
}
