import { readFileSync } from "node:fs"
import { allExamples } from "@tilinta/contract/all-examples"
import type { Endpoint } from "@tilinta/contract/define-endpoint"
import { paymentStatusStream, type Stream, transactionsStream } from "@tilinta/contract/events"
import { errorReply } from "@tilinta/contract/fields"
import { schemaNames } from "@tilinta/contract/schema-names"
import { screenStream } from "@tilinta/contract/screens"
import { apiTags } from "@tilinta/contract/vocabulary/api"
import * as z from "zod/mini"
import { version } from "#kit/machine"
import { describeWebhooks, showExamples } from "./openapi-parts.ts"

interface JsonSchema {
  type?: string
  default?: unknown
  enum?: unknown[]
  additionalProperties?: boolean | JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  $defs?: Record<string, JsonSchema>
}

const replyDescriptions = { 200: "Sucesso", 201: "Criado", 204: "Sem conteúdo: está feito" }

const failureDescriptions = {
  "4XX": "Recusado: `message` diz por quê, `code` é estável, `errors` aponta os campos",
  "5XX": "Falha do servidor ou do provedor Pix: tente de novo, com a mesma Idempotency-Key",
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
  externalReference: "A referência do pedido, letra por letra",
  last: "Em vez de `after`: só os eventos mais novos, tantos assim",
  types: "Alguns tipos de evento, com vírgulas entre eles",
  wait: "Segundos a esperar pelo próximo evento, no máximo 20",
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

export interface Platform {
  name: string
  publicUrl: string
  isSandbox: boolean
}

/** The API as OpenAPI 3.1, written from the schemas that validate its calls. */
export function describeApi(platform: Platform): object {
  const schemas: Record<string, JsonSchema> = {}
  const toSchema = schemaWriter(schemas)
  const paths: Record<string, Record<string, object>> = {}
  for (const { endpoint } of allExamples) {
    const operations = (paths[pathOf(endpoint)] ??= {})
    operations[endpoint.method.toLowerCase()] = describeEndpoint(endpoint, toSchema)
  }
  for (const stream of [paymentStatusStream, transactionsStream, screenStream]) {
    paths[pathOf(stream)] = { get: describeStream(stream, toSchema) }
  }
  const examples = showExamples(paths)
  return {
    openapi: "3.1.0",
    info: {
      title: platform.name,
      version,
      license: { name: "MIT", identifier: "MIT" },
      description: firstSteps(platform.publicUrl, platform.isSandbox),
    },
    servers: [{ url: platform.publicUrl }],
    webhooks: describeWebhooks((schema) => toSchema(schema, "output")),
    tags: Object.entries(apiTags).map(([name, description]) => ({ name, description })),
    paths,
    components: { securitySchemes, schemas: Object.fromEntries(Object.entries(schemas).sort(byName)), examples },
  }
}

function pathOf({ path }: { path: string }): string {
  return path.replace(/:(\w+)/g, "{$1}")
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
      override: ({ zodSchema, jsonSchema }) => {
        tidy(jsonSchema as JsonSchema)
        if (io === "output") return
        if (zodSchema instanceof z.ZodMiniObject) demand(zodSchema, jsonSchema as JsonSchema)
        if (zodSchema instanceof z.ZodMiniDefault) showWholeNumber(zodSchema, jsonSchema as JsonSchema)
      },
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

/** A field that may be absent only to be refused with its own message is required. */
function demand({ shape }: z.ZodMiniObject, schema: JsonSchema): void {
  const demanded = Object.entries(shape).flatMap(([name, field]) =>
    z.safeParse(field, undefined).success ? [] : [name],
  )
  if (demanded.length > 0) schema.required = demanded
  for (const name of demanded) delete schema.properties?.[name]?.default
}

/** Text of the query whose default is a number is read as one. */
function showWholeNumber({ def }: z.ZodMiniDefault, schema: JsonSchema): void {
  if (schema.type === "string" && typeof def.defaultValue === "number")
    Object.assign(schema, { type: "integer", default: def.defaultValue })
}

function referring(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema
}

function describeEndpoint(endpoint: Endpoint, toSchema: ToSchema): object {
  const { path, params, query, body, bodyFile, reply, isIdempotent } = endpoint
  const parameters = [
    ...pathParameters(path, params && toSchema(params, "input")),
    ...(query === undefined ? [] : queryParameters(toSchema(query, "input"))),
    ...(isIdempotent ? [idempotencyKey] : []),
    ...headersOf(endpoint),
  ]
  return {
    ...headOf(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: {
        required: !z.safeParse(body, undefined).success,
        content: { [json]: { schema: toSchema(body, "input") } },
      },
    }),
    ...(bodyFile !== undefined && { requestBody: { required: true, content: filesOf(bodyFile) } }),
    responses: {
      [reply.status]: { description: replyDescriptions[reply.status], ...contentOf(reply, toSchema) },
      ...failures(toSchema),
    },
  }
}

function describeStream(stream: Stream, toSchema: ToSchema): object {
  const parameters = [...pathParameters(stream.path), ...headersOf(stream)]
  const events = { "text/event-stream": { schema: { type: "string" } } }
  return {
    ...headOf(stream),
    ...(parameters.length > 0 && { parameters }),
    responses: { 200: { description: replyDescriptions[200], content: events }, ...failures(toSchema) },
  }
}

function headOf({ operationId, summary, tag, ...access }: Stream | Endpoint): object {
  return { operationId, summary, tags: [tag], security: securityOf(access) }
}

/** The owner's view behind a public path isn't named: without its header the same path is public. */
function securityOf({ audience, scope }: Pick<Endpoint, "audience" | "scope">): Record<string, string[]>[] {
  if (audience === "public") return []
  return [{ session: [] }, ...(scope === undefined ? [] : [{ apiKey: [scope] }])]
}

function contentOf(reply: Endpoint["reply"], toSchema: ToSchema): object {
  if (reply.status === 204) return {}
  if ("file" in reply) return { content: filesOf(reply.file) }
  return { content: { [json]: { schema: toSchema(reply.schema, "output") } } }
}

function filesOf(types: readonly string[]): object {
  return Object.fromEntries(types.map((type) => [type, { schema: { type: "string" } }]))
}

function failures(toSchema: ToSchema): object {
  const content = { [json]: { schema: toSchema(errorReply, "output") } }
  return Object.fromEntries(
    Object.entries(failureDescriptions).map(([status, description]) => [status, { description, content }]),
  )
}

/** The shop, where the address doesn't name it, and a screen's secret. */
function headersOf({ audience, path, roles }: Pick<Endpoint, "audience" | "path" | "roles">): object[] {
  if (path.startsWith("/api/v1/screens/current")) return [{ ...shopHeader, ...screenHeader }]
  return audience !== "seller" || roles === "person" || path.startsWith("/api/v1/shops/") ? [] : [shopHeader]
}

const shopHeader = {
  name: "X-Shop",
  in: "header",
  required: false,
  description:
    "A loja por que a pessoa da sessão age (`users/me`, `shops`); sem ele, a própria, ou a primeira. O que o papel dela não permite ali é 403 `role_forbidden`. Uma chave de API age só pela loja dela",
  schema: { type: "string", format: "uuid" },
}

const screenHeader = {
  name: "X-Screen",
  required: true,
  description: "O segredo da tela, de `screens/pair`",
  schema: { type: "string" },
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

function pathParameters(path: string, schema?: JsonSchema): object[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => ({
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
    required: required.includes(name),
    ...descriptionOf(name, schema),
    schema,
  }))
}

/** A list goes on after a row, the feed of events after a number. */
function descriptionOf(name: string, { type }: JsonSchema): { description?: string } {
  const description = name === "after" && type === "integer" ? "O `sequence` do último evento tratado" : undefined
  const found = description ?? parameterDescriptions[name]
  return found === undefined ? {} : { description: found }
}

function byName([first]: [string, unknown], [second]: [string, unknown]): number {
  return first < second ? -1 : 1
}

/** The reference's beginning: in a sandbox five calls that can be pasted into a terminal, from no account to a paid charge. */
function firstSteps(publicUrl: string, isSandbox: boolean): string {
  const steps = read(isSandbox ? "sandbox.md" : "real.md").replaceAll("{{publicUrl}}", () => publicUrl)
  return `${steps}\n${read("conventions.md")}`
}

function read(name: string): string {
  return readFileSync(new URL(`first-steps/${name}`, import.meta.url), "utf8")
}
