import swagger from "@fastify/swagger"
import Fastify from "fastify"
import { jsonSchemaTransform } from "fastify-type-provider-zod"
import { version } from "#kit/version"
import { showExamples } from "./openapi-examples.ts"
import type { ServedRoute } from "./served-routes.ts"

const replyDescriptions: Record<string, string> = {
  "200": "Sucesso",
  "201": "Criado",
  "204": "Excluído",
  "4xx": "Recusado: `message` diz por quê, `code` é estável, `errors` aponta os campos",
  "5xx": "Falha do servidor ou do provedor Pix: tente de novo, com a mesma Idempotency-Key",
}

const idempotencyHeader = {
  type: "object",
  properties: {
    "Idempotency-Key": {
      type: "string",
      maxLength: 200,
      description:
        "Até 200 caracteres, à sua escolha: a mesma chave com o mesmo corpo recebe a primeira resposta de novo",
    },
  },
}

/** The library collects routes at registration, so they are registered on a server that never listens. */
export async function describeApi(
  routes: readonly ServedRoute[],
  platform: { name: string; publicUrl: string },
): Promise<object> {
  const app = Fastify({ exposeHeadRoutes: false })
  app.setValidatorCompiler(() => onlyRead).setSerializerCompiler(() => onlyRead)
  await app.register(swagger, {
    hideUntagged: true,
    openapi: {
      openapi: "3.1.0",
      info: {
        title: platform.name,
        version,
        description:
          "Cobranças por Pix. Valores em reais, com no máximo duas casas; datas em ISO 8601, UTC; `_id` é opaco.",
      },
      servers: [{ url: platform.publicUrl }],
      components: {
        securitySchemes: {
          apiKey: {
            type: "http",
            scheme: "bearer",
            bearerFormat: "tk_live_… ou tk_test_…",
            description:
              "Uma chave de API, criada em Integrações, com a permissão indicada. Cada resposta traz RateLimit-Limit, RateLimit-Remaining e RateLimit-Reset (em segundos)",
          },
          session: { type: "http", scheme: "bearer", description: "O `token` de auth/login ou auth/signup" },
        },
      },
    },
    transformObject: (documented) => {
      if ("openapiObject" in documented) showExamples(documented.openapiObject)
      return "openapiObject" in documented ? documented.openapiObject : documented.swaggerObject
    },
    transform: (route) => {
      const { schema, url } = jsonSchemaTransform(route)
      const response = describedReplies(schema?.response ?? { 200: {} })
      const headers = route.schema?.isIdempotent ? { headers: idempotencyHeader } : {}
      return { schema: { ...schema, ...headers, response }, url }
    },
  })
  for (const { method, url, schema } of routes) {
    if (method !== "HEAD") app.route({ method, url, schema: schema ?? {}, handler: onlyRead })
  }
  await app.ready()
  return app.swagger()
}

function onlyRead(): never {
  throw new Error("the description is only read")
}

function describedReplies(replies: unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(replies as Record<string, object>).map(([status, schema]) => [
      status,
      { description: replyDescriptions[status] ?? "Resposta", ...schema },
    ]),
  )
}
