import type { Readable } from "node:stream"
import { type Endpoint, isViewable } from "@tilinta/contract/define-endpoint"
import { errorReply } from "@tilinta/contract/fields"
import type { ApiKeyScope } from "@tilinta/contract/vocabulary/api"
import { type FileEnding, type FileType, fileTypes } from "@tilinta/contract/vocabulary/files"
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema, FastifySchemaCompiler } from "fastify"
import * as z from "zod/mini"
import { type $ZodIssue, type $ZodRawIssue, type $ZodType, safeEncode, safeParse } from "zod/v4/core"
import { DomainError, type FieldProblem, invariant } from "#kit/errors"
import { type Audience, audienceOf } from "./list-query.ts"

type Parsed<Schema> = Schema extends z.ZodMiniType ? z.output<Schema> : undefined

type ReplyBody<E extends Endpoint> = E["reply"] extends { schema: infer Schema extends z.ZodMiniType }
  ? z.output<Schema>
  : undefined

/** A handler returns the `data` of `{ status, data }`, else the whole envelope without `status`. */
type Answer<Body> = Body extends { status: "success"; data: infer Data }
  ? Exclude<keyof Body, "status" | "data"> extends never
    ? Data
    : Omit<Body, "status">
  : Body extends { status: "success" }
    ? Omit<Body, "status">
    : void

interface EndpointCall<E extends Endpoint> {
  params: Parsed<E["params"]>
  query: Parsed<E["query"]>
  body: E extends { bodyFile: unknown } ? Buffer : Parsed<E["body"]>
  request: FastifyRequest
  reply: FastifyReply
}

type HandlerAnswer<E extends Endpoint> = E["reply"] extends { file: readonly FileType[] }
  ? SentFile
  : Answer<ReplyBody<E>>

type EndpointHandler<E extends Endpoint> = (call: EndpointCall<E>) => Promise<HandlerAnswer<E>>

/** Serves an endpoint of the contract: input and output pass through its schemas. */
export function serveEndpoint<const E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: EndpointHandler<E>,
): void {
  const audience = audienceOf(app)
  invariant(audience === endpoint.audience, `${endpoint.method} ${endpoint.path} served to ${audience}`)

  const toReply = envelopeOf(endpoint.reply)
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    schema: routeSchema(endpoint),
    config: {
      ...(endpoint.urgency && { urgency: endpoint.urgency }),
      ...(endpoint.scope && { keyScope: endpoint.scope }),
      ...(endpoint.orOneself && { orOneself: true }),
      // Administrators act for nobody's shop.
      roles: endpoint.audience === "admin" ? "person" : endpoint.roles,
      ...(endpoint.stepUp && { stepUp: endpoint.stepUp }),
      ...(endpoint.beforeEnrolment && { beforeEnrolment: true }),
      ...(endpoint.whileFrozen && { whileFrozen: true }),
      ...(isViewable(endpoint) && { viewable: true }),
    },
    handler: async (request, reply) => {
      // Whether a thing is there, and the caller's, its handler alone knows.
      if ("file" in endpoint.reply && request.method === "HEAD" && endpoint.params === undefined)
        return sendFileHead(reply, endpoint.reply.file, request.query)
      const answer = await handler({
        params: request.params as Parsed<E["params"]>,
        query: request.query as Parsed<E["query"]>,
        body: request.body as EndpointCall<E>["body"],
        request,
        reply,
      })
      if ("file" in endpoint.reply) return sendFile(reply, answer as SentFile)
      reply.code(endpoint.mayWait && isPending(answer) ? 200 : endpoint.reply.status)
      return toReply(answer)
    },
  })
}

/** The text with which the endpoint's route answers. */
export function replyTextOf<const E extends Endpoint>(endpoint: E, answer: HandlerAnswer<E>): string {
  const { method, path: url, reply } = endpoint
  invariant("schema" in reply, `${method} ${url} answers without a text`)
  return serializeReply({ schema: reply.schema, method, url })(envelopeOf(reply)(answer))
}

/** Nothing was created yet: another administrator must want the same. */
function isPending(answer: unknown): boolean {
  return (answer as { pending?: boolean }).pending === true
}

/** Wraps an answer in the envelope that the reply's schema implies, decided once. */
function envelopeOf(reply: Endpoint["reply"]): (answer: unknown) => unknown {
  if ("file" in reply || reply.status === 204) return () => undefined
  const isBare = isBareData(reply.schema)
  return (answer) => (isBare ? { status: "success", data: answer } : { ...(answer as object), status: "success" })
}

function isBareData(schema: z.ZodMiniType): boolean {
  invariant(schema instanceof z.ZodMiniObject, "a reply's schema must be an object")
  return Object.keys(schema.shape).sort().join() === "data,status"
}

function routeSchema(endpoint: Endpoint): FastifySchema {
  const { params, query, body, reply } = endpoint
  return {
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(body && { body }),
    response: {
      [reply.status]: successSchema(reply),
      ...(endpoint.mayWait && { 200: successSchema(reply) }),
      "4xx": errorReply,
      "5xx": errorReply,
    },
    ...(endpoint.isIdempotent && { isIdempotent: true }),
  }
}

function successSchema(reply: Endpoint["reply"]): unknown {
  if ("file" in reply) return { content: Object.fromEntries(reply.file.map((type) => [type, { schema: z.string() }])) }
  return reply.status === 204 ? z.undefined() : reply.schema
}

/** Validates params, query and body with the contract's schemas; violations become our own error reply. */
export const validateRequest: FastifySchemaCompiler<$ZodType> =
  ({ schema }) =>
  (data) => {
    const result = safeParse(schema, data, { reportInput: true, error: portugueseMessage })
    return result.success ? { value: result.data } : { error: brokenRules(result.error.issues) }
  }

function brokenRules(issues: readonly $ZodIssue[]): DomainError {
  const problems = new Map<string, FieldProblem>()
  for (const issue of issues) {
    const path = issue.path.join(".")
    if (!problems.has(path)) problems.set(path, { path, message: issue.message })
  }
  const errors = [...problems.values()]
  return new DomainError(issues.some(isMalformed) ? "malformed_request" : "validation_failed", {
    message: errors[0]?.message ?? "Valor inválido.",
    errors,
  })
}

const wrongShapes = new Set([
  "invalid_type",
  "invalid_value",
  "invalid_union",
  "invalid_key",
  "invalid_element",
  "unrecognized_keys",
])

/** A missing field breaks the rule that requires it; one of the wrong type is malformed. */
function isMalformed(issue: $ZodIssue): boolean {
  if (issue.code === "custom") return issue.params?.malformed === true
  const isMissingField = issue.input === undefined && issue.path.length > 0
  return wrongShapes.has(issue.code) && !isMissingField
}

const typeMessages: Record<string, string> = {
  string: "Deve ser um texto.",
  number: "Deve ser um número.",
  int: "Deve ser um número inteiro.",
  boolean: "Deve ser verdadeiro ou falso.",
  array: "Deve ser uma lista.",
  object: "Deve ser um objeto JSON.",
}

/** For issues whose schema has no message of its own: the library's English is never sent. */
function portugueseMessage(issue: $ZodRawIssue): string {
  if (issue.code === "invalid_type") {
    const isMissingField = issue.input === undefined && (issue.path ?? []).length > 0
    return isMissingField ? "Campo obrigatório." : (typeMessages[issue.expected] ?? "Valor inválido.")
  }
  if (issue.code === "invalid_value") return "Valor desconhecido."
  return "Valor inválido."
}

interface Reply {
  schema: $ZodType
  method: string
  url: string
}

/** Serialises by the contract's schemas. */
export function serializeReply({ schema, method, url }: Reply): (data: unknown) => string {
  return (data) => {
    const result = safeEncode(schema, data)
    if (!result.success) throw new Error(`${method} ${url} answered against its schema`, { cause: result.error })
    return JSON.stringify(result.data)
  }
}

export interface ServedRoute {
  method: string
  /** The pattern, with `:name` for parameters. */
  url: string
  audience: Audience
  schema: FastifySchema | undefined
  /** The scope of API keys that may call it; none by default. */
  keyScope: ApiKeyScope | undefined
  /** The roles in a shop's team that may call it; its owner alone without any. */
  roles: Endpoint["roles"]
  /** Whether it asks for a session that was confirmed within the last minutes. */
  stepUp: Endpoint["stepUp"]
  /** Open also to an administrator who still has to enrol a second factor. */
  beforeEnrolment: true | undefined
  /** Open also to an account that its owner froze. */
  whileFrozen: true | undefined
}

const routesKey = "servedRoutes"

/** Records every route from here on. A route in a scope without an audience ends the start. */
export function noteRoutes(app: FastifyInstance): void {
  const routes: ServedRoute[] = []
  app.decorate(routesKey, routes)
  app.addHook("onRoute", function noteRoute(this: FastifyInstance, { url, method, schema, config }) {
    const audience = audienceOf(this)
    invariant(audience !== undefined, `${[method].flat().join()} ${url} is in a scope without an audience`)
    const { keyScope, roles, stepUp, beforeEnrolment, whileFrozen } = config ?? {}
    for (const name of [method].flat()) {
      routes.push({ method: name, url, audience, schema, keyScope, roles, stepUp, beforeEnrolment, whileFrozen })
    }
  })
}

export function servedRoutes(app: FastifyInstance): readonly ServedRoute[] {
  return app.getDecorator<ServedRoute[]>(routesKey)
}

/** The answer of a handler for an endpoint that replies with a file. */
interface SentFile {
  /** Its ending decides the type. */
  name: string
  content: Readable
}

/** For HEAD, the file would be generated only to be discarded. */
function sendFileHead(reply: FastifyReply, [first]: readonly [FileType, ...FileType[]], query: unknown): FastifyReply {
  const { format } = query as { format?: FileEnding }
  return reply.type(withCharset(format === undefined ? first : fileTypes[format])).send()
}

function withCharset(type: FileType): string {
  return type === "text/csv" ? `${type}; charset=utf-8` : type
}

/** When the content fails midway, the connection is broken off: half a file must not look complete. */
function sendFile(reply: FastifyReply, { name, content }: SentFile): FastifyReply {
  content.once("error", () => {
    // Without chunked encoding the connection's end is the file's end, so it must be reset.
    if (reply.raw.headersSent && reply.request.raw.httpVersion === "1.0") reply.raw.socket?.resetAndDestroy()
  })
  const type = withCharset(fileTypes[name.slice(name.lastIndexOf(".") + 1) as FileEnding])
  return reply.type(type).header("content-disposition", `attachment; filename="${name}"`).send(content)
}
