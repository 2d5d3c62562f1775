import type { ErrorCode } from "@tilinta/contract/vocabulary/error-codes"
import type { FastifyInstance, FastifyRequest } from "fastify"
import type { Access, AccessNotes } from "#domain/platform/audit/access-notes"
import { sessionOriginOf } from "./session-origin.ts"

declare module "fastify" {
  interface FastifyReply {
    /** The code of a refusal (403). */
    refusal?: ErrorCode
  }
  interface FastifyRequest {
    /** The user of the session or key, known also where they may not come in. */
    knownCaller?: string
  }
}

/** Records what was refused to somebody, with the code, the route and the caller. */
export function noteRefusals(app: FastifyInstance, { accessNotes }: { accessNotes: AccessNotes }): void {
  app.addHook("onResponse", (request, { refusal }, done) => {
    if (refusal !== undefined) accessNotes.note(refusalOf(request, refusal))
    done()
  })
}

/** One record holds the refusals of a person, a code and a minute. */
function refusalOf(request: FastifyRequest, code: ErrorCode): Access {
  const { address, userAgent } = sessionOriginOf(request)
  const whence = { address, device: userAgent, requestId: request.id }
  const { knownCaller: id } = request
  return {
    actor: id === undefined ? null : { id, ...whence },
    whence,
    action: "access.refused",
    entity: "endpoint",
    entityId: `${request.method} ${request.routeOptions.url ?? ""}`,
    facts: { code },
  }
}
