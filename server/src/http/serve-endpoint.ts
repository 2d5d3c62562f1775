import type { Endpoint, FileType } from "@tilinta/contract/api/define-endpoint"
import { errorReply } from "@tilinta/contract/api/error-reply"
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from "fastify"
import * as z from "zod/mini"
import { invariant } from "#kit/invariant"
import { audienceOf } from "./audience.ts"
import { type SentFile, sendFile, sendFileHead } from "./send-file.ts"
import { serializeReply } from "./serialize-reply.ts"

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
  body: Parsed<E["body"]>
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
      ...(endpoint.stepUp && { stepUp: endpoint.stepUp }),
      ...(endpoint.beforeEnrolment && { beforeEnrolment: true }),
    },
    handler: async (request, reply) => {
      if ("file" in endpoint.reply && request.method === "HEAD") return sendFileHead(reply, endpoint.reply.file[0])
      const answer = await handler({
        params: request.params as Parsed<E["params"]>,
        query: request.query as Parsed<E["query"]>,
        body: request.body as Parsed<E["body"]>,
        request,
        reply,
      })
      if ("file" in endpoint.reply) return sendFile(reply, endpoint.reply.file[0], answer as SentFile)
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
