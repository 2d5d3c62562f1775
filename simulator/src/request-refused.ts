import type { FastifyRequest } from "fastify"
import { z } from "zod"

/** An invalid request to the simulator itself, with a message for the sender. */
export class RequestRefused extends Error {
  readonly status: 400 | 403 | 404

  constructor(status: 400 | 403 | 404, message: string) {
    super(message)
    this.status = status
  }
}

export function bodyOf<Schema extends z.ZodType>(request: FastifyRequest, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(request.body)
  if (parsed.success) return parsed.data
  throw new RequestRefused(400, `Pedido inválido: ${z.prettifyError(parsed.error)}`)
}
