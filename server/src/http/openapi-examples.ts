import { allExamples } from "@tilinta/contract/examples/all-examples"
import type { Example } from "@tilinta/contract/examples/define-example"
import type { ErrorCode } from "@tilinta/contract/vocabulary/error-codes"
import { DomainError } from "#kit/domain-error"
import { statusOf, toErrorReply } from "./error-reply.ts"

interface Media {
  content?: Record<string, { schema?: unknown; example?: unknown; examples?: Record<string, unknown> }>
}

interface Operation {
  parameters?: { name: string; in: string; schema?: { type?: string }; example?: unknown }[]
  requestBody?: Media
  responses?: Record<string, Media & { description: string; headers?: object }>
}

const retryAfter = { "Retry-After": { description: "Em quantos segundos tentar de novo", schema: { type: "integer" } } }

const json = "application/json"

/** Writes each endpoint's example call and failures into the description; returns the failures' replies by their codes. */
export function showExamples(paths: Record<string, Record<string, Operation>>): Record<string, object> {
  for (const example of allExamples) {
    const { method, path } = example.endpoint
    const operation = paths[path.replace(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()]
    if (operation !== undefined) showExample(operation, example)
  }
  const codes = [...new Set(allExamples.flatMap(failuresOf))].sort()
  return Object.fromEntries(codes.map((code) => [code, { value: toErrorReply(new DomainError(code)) }]))
}

/** Every code that the endpoint may answer: its own, and those implied by its audience and input. */
function failuresOf({ endpoint, failures }: Example): ErrorCode[] {
  const { params, query, body, audience, urgency, scope, stepUp } = endpoint
  const takesInput = params !== undefined || query !== undefined || body !== undefined
  const fromBody = ["validation_failed", "payload_too_large", "unsupported_media_type"] as const
  const codes: ErrorCode[] = [
    ...(takesInput ? (["malformed_request", "validation_failed"] as const) : []),
    ...(body === undefined ? [] : fromBody),
    audience === "public" ? "too_many_requests" : "unauthenticated",
    ...(audience === "admin"
      ? (["forbidden", "second_factor_enrolment_required", "new_password_required"] as const)
      : []),
    ...(stepUp === undefined ? [] : (["step_up_required"] as const)),
    ...(audience === "public" || scope !== undefined ? [] : (["api_key_not_accepted"] as const)),
    ...(scope === undefined
      ? []
      : (["api_key_invalid", "api_key_frozen", "api_key_scope_missing", "too_many_requests"] as const)),
    ...(urgency === "last" ? (["overloaded"] as const) : []),
    ...failures,
  ]
  return [...new Set(codes)]
}

function showExample(operation: Operation, example: Example): void {
  const { endpoint, body, reply } = example
  const sent = { ...(example.params as object), ...(example.query as object) } as Record<string, unknown>
  for (const parameter of operation.parameters ?? []) {
    const value = sent[parameter.name]
    if (value !== undefined) parameter.example = parameter.schema?.type === "integer" ? Number(value) : value
  }
  const request = operation.requestBody?.content?.[json]
  if (request !== undefined && body !== undefined) request.example = body

  const responses = (operation.responses ??= {})
  const success = responses[String(endpoint.reply.status)]?.content?.[json]
  if (success !== undefined && reply !== undefined) success.example = reply
  showFailures(responses, failuresOf(example))
}

function showFailures(responses: NonNullable<Operation["responses"]>, codes: ErrorCode[]): void {
  const schema = responses["4XX"]?.content?.[json]?.schema
  for (const [status, sameStatus] of Map.groupBy(codes, (code) => statusOf[code])) {
    const replies = sameStatus.map((code) => [code, { $ref: `#/components/examples/${code}` }])
    responses[String(status)] = {
      description: sameStatus.map((code) => `\`${code}\``).join(", "),
      ...(status === 503 && { headers: retryAfter }),
      content: { [json]: { schema, examples: Object.fromEntries(replies) } },
    }
  }
}
