import type { Endpoint } from "@tilinta/contract/api/define-endpoint"
import type { ApiKeyScope } from "@tilinta/contract/vocabulary/api-keys"
import type { FastifyInstance, FastifySchema } from "fastify"
import { invariant } from "#kit/invariant"
import { type Audience, audienceOf } from "./audience.ts"

export interface ServedRoute {
  method: string
  /** The pattern, with `:name` for parameters. */
  url: string
  audience: Audience
  schema: FastifySchema | undefined
  /** The scope of API keys that may call it; none by default. */
  keyScope: ApiKeyScope | undefined
  /** Whether it asks for a session that was confirmed within the last minutes. */
  stepUp: Endpoint["stepUp"]
  /** Open also to an administrator who still has to enrol a second factor. */
  beforeEnrolment: true | undefined
}

const routesKey = "servedRoutes"

/** Records every route from here on. A route in a scope without an audience ends the start. */
export function noteRoutes(app: FastifyInstance): void {
  const routes: ServedRoute[] = []
  app.decorate(routesKey, routes)
  app.addHook("onRoute", function noteRoute(this: FastifyInstance, { url, method, schema, config }) {
    const audience = audienceOf(this)
    invariant(audience !== undefined, `${[method].flat().join()} ${url} is in a scope without an audience`)
    const { keyScope, stepUp, beforeEnrolment } = config ?? {}
    for (const name of [method].flat()) {
      routes.push({ method: name, url, audience, schema, keyScope, stepUp, beforeEnrolment })
    }
  })
}

export function servedRoutes(app: FastifyInstance): readonly ServedRoute[] {
  return app.getDecorator<ServedRoute[]>(routesKey)
}
