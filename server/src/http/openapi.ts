import { schemaNames } from "@tilinta/contract/api/schema-names"
import { apiTags } from "@tilinta/contract/vocabulary/api-tags"
import * as z from "zod/mini"
import { version } from "#kit/version"
import { showExamples } from "./openapi-examples.ts"
import type { ServedRoute } from "./served-routes.ts"

interface JsonSchema {
  enum?: unknown[]
  additionalProperties?: boolean | JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  $defs?: Record<string, JsonSchema>
}

/** As the routes hold it: schemas of the contract, or the description of a stream. */
interface RouteSchema {
  operationId: string
  summary: string
  tags: string[]
  security: Record<string, string[]>[]
  isIdempotent?: boolean
  params?: z.ZodMiniType
  querystring?: z.ZodMiniType
  body?: z.ZodMiniType
  response: Record<string, z.ZodMiniType | { content: object }>
}

const replyDescriptions: Record<string, string> = {
  "200": "Sucesso",
  "201": "Criado",
  "204": "Sem conteúdo: está feito",
  "4xx": "Recusado: `message` diz por quê, `code` é estável, `errors` aponta os campos",
  "5xx": "Falha do servidor ou do provedor Pix: tente de novo, com a mesma Idempotency-Key",
}

const parameterDescriptions: Record<string, string> = {
  page: "A partir de 1. Enquanto chegam linhas novas, `after` é melhor",
  limit: "Linhas por página, no máximo 1000",
  after: "O `_id` da última linha recebida: a lista continua depois dela, chegue o que chegar",
  search: "Texto a procurar",
  dateFrom: "Primeiro dia, `AAAA-MM-DD`, de São Paulo",
  dateTo: "Último dia, `AAAA-MM-DD`, de São Paulo",
  startDate: "O mesmo que `dateFrom`",
  endDate: "O mesmo que `dateTo`",
}

const securitySchemes = {
  apiKey: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "tk_live_… ou tk_test_…",
    description:
      "Uma chave de API, criada em Integrações, com a permissão indicada. Cada resposta traz RateLimit-Limit, RateLimit-Remaining e RateLimit-Reset (em segundos)",
  },
  session: { type: "http", scheme: "bearer", description: "O `token` de auth/login ou auth/signup" },
}

const json = "application/json"

/** The API as OpenAPI 3.1, written from the schemas that validate its calls. */
export function describeApi(routes: readonly ServedRoute[], platform: { name: string; publicUrl: string }): object {
  const schemas: Record<string, JsonSchema> = {}
  const toSchema = schemaWriter(schemas)
  const paths: Record<string, Record<string, object>> = {}
  const tags = new Set<string>()
  for (const { method, url, schema } of routes) {
    const described = schema as RouteSchema | undefined
    if (method === "HEAD" || described?.operationId === undefined) continue
    for (const tag of described.tags) tags.add(tag)
    const operations = (paths[url.replace(/:(\w+)/g, "{$1}")] ??= {})
    operations[method.toLowerCase()] = describeOperation(url, described, toSchema)
  }
  showExamples(paths)
  return {
    openapi: "3.1.0",
    info: {
      title: platform.name,
      version,
      license: { name: "MIT", identifier: "MIT" },
      description:
        "Cobranças por Pix. Valores em reais, com no máximo duas casas; datas em ISO 8601, UTC; `_id` é opaco.",
    },
    servers: [{ url: platform.publicUrl }],
    tags: Object.entries(apiTags).flatMap(([name, description]) => (tags.has(name) ? [{ name, description }] : [])),
    paths,
    components: { securitySchemes, schemas: Object.fromEntries(Object.entries(schemas).sort(byName)) },
  }
}

type ToSchema = (schema: z.ZodMiniType, side: "input" | "output") => JsonSchema

/** Replaces each answered object that has a name by a reference, and adds it to the named schemas. */
function schemaWriter(schemas: Record<string, JsonSchema>): ToSchema {
  const named = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(schemaNames)) named.add(schema, { id })
  const unnamed = z.registry<{ id: string }>()
  return (schema, io) => {
    // In a list, because a named schema that stands alone would not become a reference.
    const listed = z.toJSONSchema(z.array(schema), {
      metadata: io === "output" ? named : unnamed,
      io,
      unrepresentable: "any",
      override: ({ jsonSchema }) => tidy(jsonSchema as JsonSchema),
    }) as JsonSchema & { items: JsonSchema }
    for (const [name, definition] of Object.entries(listed.$defs ?? {})) schemas[name] ??= referring(definition)
    return referring(listed.items)
  }
}

/** A reply may get further fields with any version, and a table of words may hold one twice. */
function tidy(schema: JsonSchema): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties
  if (schema.enum !== undefined) schema.enum = [...new Set(schema.enum)]
}

function referring(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema
}

function describeOperation(url: string, route: RouteSchema, toSchema: ToSchema): object {
  const { operationId, summary, tags, security, params, querystring, body, response, isIdempotent } = route
  const parameters = [
    ...pathParameters(url, params && toSchema(params, "input")),
    ...(querystring === undefined ? [] : queryParameters(toSchema(querystring, "input"))),
    ...(isIdempotent ? [idempotencyKey] : []),
  ]
  return {
    operationId,
    summary,
    tags,
    security,
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: {
        required: !z.safeParse(body, undefined).success,
        content: { [json]: { schema: toSchema(body, "input") } },
      },
    }),
    responses: Object.fromEntries(
      Object.entries(response).map(([status, schema]) => [
        status.toUpperCase(),
        { description: replyDescriptions[status] ?? "Resposta", ...contentOf(status, schema, toSchema) },
      ]),
    ),
  }
}

function contentOf(status: string, schema: RouteSchema["response"][string], toSchema: ToSchema): object {
  if (status === "204") return {}
  return "content" in schema ? schema : { content: { [json]: { schema: toSchema(schema, "output") } } }
}

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Até 200 caracteres, à sua escolha: a mesma chave com o mesmo corpo recebe a primeira resposta de novo; com outro corpo, 422",
  schema: { type: "string", minLength: 1, maxLength: 200 },
  example: "pedido-2026-0001",
}

function pathParameters(url: string, schema: JsonSchema | undefined): object[] {
  return [...url.matchAll(/:(\w+)/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: schema?.properties?.[name] ?? { type: "string" },
  }))
}

function queryParameters({ properties = {}, required = [] }: JsonSchema): object[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name) && !("default" in schema),
    ...(parameterDescriptions[name] !== undefined && { description: parameterDescriptions[name] }),
    schema,
  }))
}

function byName([first]: [string, unknown], [second]: [string, unknown]): number {
  return first < second ? -1 : 1
}
