import type { FastifyRequest } from "fastify"
import { isOfThisMachine } from "./of-this-machine.ts"
import { RequestRefused } from "./request-refused.ts"

export async function onlyLoopback(request: FastifyRequest): Promise<void> {
  if (!isOfThisMachine(request)) throw new RequestRefused(403, "O controle do simulador só atende esta máquina.")
}
