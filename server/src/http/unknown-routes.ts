import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { DomainError } from "#kit/domain-error"
import { servedRoutes } from "./served-routes.ts"

interface ServedPath {
  pattern: RegExp
  method: string
}

/** Handles paths without a route; it knows every route, so it distinguishes a wrong method from a wrong address. */
export function unknownRoutes(app: FastifyInstance): (request: FastifyRequest, reply: FastifyReply) => void {
  const allowedMethods = methodsOfPaths(app)

  return (request, reply) => {
    const methods = allowedMethods(pathOf(request))
    if (methods.length === 0) throw new DomainError("route_not_found")

    reply.header("allow", methods.join(", "))
    if (request.method !== "OPTIONS") throw new DomainError("method_not_allowed")
    reply.code(204).send()
  }
}

/**
 * The address of a page that was asked for with a slash behind it, with its query; null when there is none. People and
 * the programs that make links of texts add the slash.
 */
export function addressesWithoutSlash(app: FastifyInstance): (request: FastifyRequest) => string | null {
  const allowedMethods = methodsOfPaths(app)

  return (request) => {
    const path = pathOf(request)
    const meant = path.replace(/\/+$/, "")
    if (meant === path || !allowedMethods(meant).includes("GET")) return null
    return meant + request.url.slice(path.length)
  }
}

/** The methods of the routes that a path fits. */
function methodsOfPaths(app: FastifyInstance): (path: string) => string[] {
  let served: ServedPath[] | undefined

  return (path) => {
    served ??= servedRoutes(app).map(({ url, method }) => ({ pattern: patternOf(url), method }))
    const methods = served.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
    return methods.length === 0 ? [] : [...new Set([...methods, "OPTIONS"])].sort()
  }
}

function patternOf(url: string): RegExp {
  const source = url
    .split(/(:\w+|\*)/)
    .map((part) => (part.startsWith(":") ? "[^/]+" : part === "*" ? ".*" : RegExp.escape(part)))
  return new RegExp(`^${source.join("")}$`)
}

function pathOf(request: FastifyRequest): string {
  return request.url.split("?", 1)[0] ?? ""
}
