import type { FastifyRequest } from "fastify"
import type { MayControl } from "./open-to.ts"
import { RequestRefused } from "./request-refused.ts"

export function guardControl(mayControl: MayControl) {
  return async (request: FastifyRequest): Promise<void> => {
    if (!mayControl(request)) throw new RequestRefused(403, "O controle do simulador só atende esta máquina.")
  }
}
