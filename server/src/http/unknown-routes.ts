import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { DomainError } from "#kit/domain-error"
import { servedRoutes } from "./served-routes.ts"

interface ServedPath {
  pattern: RegExp
  method: string
}

/** Handles paths without a route; it knows every route, so it distinguishes a wrong method from a wrong address. */
export function unknownRoutes(app: FastifyInstance): (request: FastifyRequest, reply: FastifyReply) => void {
  let served: ServedPath[] | undefined

  return (request, reply) => {
    served ??= servedRoutes(app).map(({ url, method }) => ({ pattern: patternOf(url), method }))
    const methods = allowedMethods(served, pathOf(request))
    if (methods.length === 0) throw new DomainError("route_not_found")

    reply.header("allow", methods.join(", "))
    if (request.method !== "OPTIONS") throw new DomainError("method_not_allowed")
    reply.code(204).send()
  }
}

function patternOf(url: string): RegExp {
  const source = url
    .split(/(:\w+|\*)/)
    .map((part) => (part.startsWith(":") ? "[^/]+" : part === "*" ? ".*" : RegExp.escape(part)))
  return new RegExp(`^${source.join("")}$`)
}

function allowedMethods(served: ServedPath[], path: string): string[] {
  const methods = served.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
  return methods.length === 0 ? [] : [...new Set([...methods, "OPTIONS"])].sort()
}

function pathOf(request: FastifyRequest): string {
  return request.url.split("?", 1)[0] ?? ""
}
