import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { DomainError } from "#kit/domain-error"

interface ServedPath {
  pattern: RegExp
  methods: Set<string>
}

/** Answers paths that no route serves; told of every route, it knows a wrong method from a wrong address. */
export function unknownRoutes(app: FastifyInstance): (request: FastifyRequest, reply: FastifyReply) => void {
  const served = new Map<string, ServedPath>()

  app.addHook("onRoute", ({ url, method }) => {
    const path = served.get(url) ?? { pattern: patternOf(url), methods: new Set() }
    served.set(url, path)
    for (const name of [method].flat()) path.methods.add(name)
  })

  return (request, reply) => {
    const methods = allowedMethods([...served.values()], pathOf(request))
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
  const methods = served.filter(({ pattern }) => pattern.test(path)).flatMap((match) => [...match.methods])
  return methods.length === 0 ? [] : [...new Set([...methods, "OPTIONS"])].sort()
}

function pathOf(request: FastifyRequest): string {
  return request.url.split("?", 1)[0] ?? ""
}
