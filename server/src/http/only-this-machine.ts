import { isOfThisMachine } from "@tilinta/simulator/of-this-machine"
import type { FastifyRequest } from "fastify"
import { DomainError } from "#kit/domain-error"

/** @throws forbidden */
export async function onlyThisMachine(request: FastifyRequest): Promise<void> {
  if (isOfThisMachine(request)) return
  throw new DomainError("forbidden", { message: "Os e-mails do ambiente de teste só são mostrados nesta máquina." })
}
