import type { MayControl } from "@tilinta/simulator/open-to"
import type { FastifyRequest } from "fastify"
import { DomainError } from "#kit/domain-error"

export function guardOutbox(mayControl: MayControl) {
  /** @throws forbidden */
  return async (request: FastifyRequest): Promise<void> => {
    if (mayControl(request)) return
    throw new DomainError("forbidden", { message: "Os e-mails do ambiente de teste só são mostrados nesta máquina." })
  }
}
