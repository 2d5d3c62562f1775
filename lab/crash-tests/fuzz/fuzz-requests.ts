import { allExamples } from "@tilinta/contract/all-examples"
import type { Example } from "@tilinta/contract/define-endpoint"
import { fieldsOf, withField } from "../../../server/test-support/field-paths.ts"
import type { Chance } from "../chance.ts"
import { hostileHeaders, hostileJson, hostilePiece, hostileText } from "./hostile-values.ts"

const callers = ["nobody", "seller", "admin"] as const
export type Caller = (typeof callers)[number]

export interface FuzzRequest {
  caller: Caller
  method: string
  /** As it is written on the wire. */
  path: string
  headers: Record<string, string>
  body: string | Buffer | null
}

/** Ids that answers named, by which requests reach what exists. */
export interface KnownIds {
  ids: string[]
  links: string[]
}

/** Beside the API: pages, pictures, streams, webhooks, the simulated bank. */
const otherPaths = [
  ...[
    "/",
    "/login",
    "/dashboard",
    "/admin/users",
    "/payment/success?transactionId=:id",
    "/payment/error",
    "/robots.txt",
  ],
  ...["/checkout/:link", "/checkout/:link?pix=:id", "/checkout/:link/qr.svg", "/checkout/:link/preview.png"],
  ...[
    "/assets/:id",
    "/reset-password/:id",
    "/emails/:id",
    "/healthz",
    "/readyz",
    "/metrics",
    "/api/docs",
    "/api/v1/nada",
  ],
  ...["/api/openapi.json", "/api/v1/users/me/events", "/api/v1/checkout/payment-status/:id/stream"],
  ...[
    "/webhooks/simulator/:id",
    "/webhooks/simulator/:id/pix",
    "/simulador",
    "/simulador/emails",
    "/simulador/emails/:id",
  ],
  ...["/simulador/api/emails", "/simulador/api/pagamentos", "/simulador/api/cobrancas/:id", "/simulador/api/nada"],
]
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

/** A request that is valid, or wrong in one to three ways. */
export function drawRequest(chance: Chance, known: KnownIds): FuzzRequest {
  const example = chance.is(0.85) ? chance.pick(allExamples) : undefined
  const request = example === undefined ? otherRequest(chance, known) : validRequest(example, chance, known)
  if (chance.is(0.15)) return request
  const wrongs = Array.from({ length: chance.between(1, 3) }, () => chance.pick(mutations) ?? mutateHeaders)
  return wrongs.reduce((wrong, mutate) => mutate(wrong, { chance, example }), request)
}

function validRequest({ endpoint, query, body }: Example, chance: Chance, known: KnownIds): FuzzRequest {
  const usual = endpoint.audience === "admin" ? "admin" : endpoint.audience === "seller" ? "seller" : "nobody"
  const search = query === undefined ? "" : `?${new URLSearchParams(query as Record<string, string>).toString()}`
  return {
    caller: chance.is(0.85) ? usual : (chance.pick(callers) ?? "nobody"),
    method: endpoint.method,
    path: withIds(endpoint.path, chance, known) + search,
    headers: body === undefined ? {} : { "content-type": "application/json" },
    body: body === undefined ? null : withKnownIds(JSON.stringify(body), chance, known),
  }
}

function otherRequest(chance: Chance, known: KnownIds): FuzzRequest {
  const path = withIds(chance.pick(otherPaths) ?? "/", chance, known)
  const caller = chance.pick(callers) ?? "nobody"
  if (chance.is(0.7)) return { caller, method: "GET", path, headers: {}, body: null }
  const [type, body] = chance.pick([
    ["application/json", hostileJson(chance)],
    ["application/x-www-form-urlencoded", `nome=${hostilePiece(chance)}&cpf=${hostilePiece(chance)}&=&nome=a`],
  ]) ?? ["text/plain", ""]
  return { caller, method: "POST", path, headers: { "content-type": type }, body }
}

function withIds(pattern: string, chance: Chance, { ids, links }: KnownIds): string {
  return pattern.replaceAll(/:\w+/g, (name) => chance.pick(name === ":link" ? links : ids) ?? "nada")
}

/** Examples name things that don't exist here. */
function withKnownIds(json: string, chance: Chance, { ids }: KnownIds): string {
  return json.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => chance.pick(ids) ?? id)
}

interface Surroundings {
  chance: Chance
  example: Example | undefined
}
type Mutation = (request: FuzzRequest, surroundings: Surroundings) => FuzzRequest

const mutateField: Mutation = (request, surroundings) => {
  const { chance, example } = surroundings
  const schema = example?.endpoint.body
  if (schema === undefined || typeof request.body !== "string") return mutateQuery(request, surroundings)
  const field = chance.pick(fieldsOf(schema))
  const body = parsed(request.body)
  if (field === undefined || body === null) return request
  return { ...request, body: withField(body, field.path, hostileJson(chance)) }
}

/** Deeper than what can be copied. */
function isDeep(text: string): boolean {
  return text.includes("[[[[[") || text.includes('{"a":{"a":{"a":')
}

/** Null unless it is still an object of JSON that can be copied. */
function parsed(text: string): object | null {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === "object" && !Array.isArray(body) && !isDeep(text) ? body : null
  } catch {
    return null
  }
}

const mutateBody: Mutation = (request, { chance }) => {
  const text = String(request.body ?? "{}")
  const spoil = chance.pick([
    () => text.slice(0, chance.between(0, text.length)),
    () => text.replace("{", '{"__proto__":{"role":"admin"},'),
    () => text + text,
    () => `\ufeff${text}`,
    () => text.replace(/"(\w+)":/, '"$1":null,"$1":'),
    () => Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28]),
    () => hostileJson(chance),
    () => "",
    () => `{"a":"${"x".repeat(chance.is(0.05) ? 1_200_000 : 70_000)}"}`,
  ])
  return { ...request, headers: { "content-type": "application/json", ...request.headers }, body: spoil?.() ?? text }
}

const mutateQuery: Mutation = (request, { chance, example }) => {
  const described = example?.endpoint.query
  const names = [
    ...(described === undefined ? [] : fieldsOf(described).map(({ path }) => path.join("."))),
    ...["page", "limit", "after", "search", "status", "startDate", "x", "a[b]", "__proto__"],
  ]
  const pair = () =>
    `${chance.pick(names)}=${chance.is(0.3) ? (chance.pick(["1", "0", "2026-11-22"]) ?? "") : hostilePiece(chance)}`
  const first = pair()
  const more = chance.pick(["", `&${pair()}`, `&${first}`, "&&=&", "&x"]) ?? ""
  return { ...request, path: `${request.path}${request.path.includes("?") ? "&" : "?"}${first}${more}` }
}

const mutatePath: Mutation = (request, { chance }) => {
  const [path = "/", query] = request.path.split("?")
  const parts = path.split("/")
  const at = chance.between(1, parts.length)
  const piece = hostilePiece(chance)
  const spoilt = chance.is(0.5) ? parts.with(Math.min(at, parts.length - 1), piece) : parts.toSpliced(at, 0, piece)
  return { ...request, path: spoilt.join("/") + (query === undefined ? "" : `?${query}`) }
}

const mutateHeaders: Mutation = (request, { chance }) => ({
  ...request,
  headers: { ...request.headers, ...hostileHeaders(chance) },
})

const mutateMethod: Mutation = (request, { chance }) => ({ ...request, method: chance.pick(methods) ?? "GET" })

const mutateIdempotency: Mutation = (request, { chance }) => ({
  ...request,
  headers: { ...request.headers, "idempotency-key": chance.is(0.5) ? "k" : headerSafe(hostileText(chance)) },
})

function headerSafe(text: string): string {
  return text.replaceAll(/[^\t\u0020-\u007e\u0080-\u00ff]/g, "?").slice(0, 4_000)
}

const mutations: Mutation[] = [
  ...[mutateField, mutateField, mutateField, mutateField, mutateBody, mutateQuery, mutateQuery, mutatePath],
  ...[mutateHeaders, mutateMethod, mutateIdempotency],
]
