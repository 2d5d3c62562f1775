import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { allExamples } from "@tilinta/contract/all-examples"
import type { Endpoint } from "@tilinta/contract/define-endpoint"
import { presentApi } from "./openapi.ts"
import { repositoryFolder, runTool } from "./run-tool.ts"

const note = "// Written by `npm run client:types`.\n"

/** The part of JSON Schema that our description uses. */
interface Schema {
  $ref?: string
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  type?: string | readonly string[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: readonly string[]
  additionalProperties?: Schema | boolean
}

type Content = Record<string, { schema: Schema }>

interface Parameter {
  in: string
  name: string
  required?: boolean
  description?: string
  schema: Schema
}

interface Operation {
  operationId: string
  parameters?: readonly Parameter[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { content?: Content }>
}

interface Described {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const unsaid = ["allOf", "oneOf", "not", "prefixItems", "patternProperties"]

/** Committed, because the client runs on it; the types are made when somebody checks or packs the client. */
export const callsFile = clientFile("api-calls.ts")
const typesFile = clientFile("api-types.ts")

function clientFile(name: string): string {
  return join(repositoryFolder, "client/src", name)
}

/** The calls that a key may make or a payer needs, and their types. */
export async function writeClientSource(): Promise<{ calls: string; types: string }> {
  const endpoints = allExamples.map(({ endpoint }) => endpoint).filter(isForPrograms)
  return { calls: await formatted("api-calls.ts", callsOf(endpoints)), types: typesOf(endpoints) }
}

function isForPrograms({ scope, tag }: Endpoint): boolean {
  return scope !== undefined || tag === "Pagamento"
}

function callsOf(endpoints: readonly Endpoint[]): string {
  const lines = endpoints.map(({ operationId, method, path, isIdempotent }) => {
    const call = { method, path, ...(isIdempotent && { isIdempotent }) }
    return `${operationId}: ${JSON.stringify(call)},\n`
  })
  return `${note}export const apiCalls = {\n${lines.sort().join("")}} as const\n`
}

/** The calls' parameters, bodies and successes, and the objects that these name. */
function typesOf(endpoints: readonly Endpoint[]): string {
  const names = new Set(endpoints.map(({ operationId }) => operationId))
  const { paths, components } = presentApi() as Described
  const operations = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ operationId }) => names.has(operationId))
    .map((operation) => `${operation.operationId}: ${operationType(operation)}`)
  const schemas = new Map<string, string>()
  const waiting = [...referencesIn(operations.join()), "Error"]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const schema = components.schemas[name]
    if (schema === undefined || schemas.has(name)) continue
    const type = typeOf(schema)
    schemas.set(name, `${name}: ${type}`)
    waiting.push(...referencesIn(type))
  }
  const named = [...schemas.values()].sort()
  return `${note}export interface components {\nschemas: {\n${named.join("\n")}\n}\n}\nexport interface operations {\n${operations.join("\n")}\n}\n`
}

function operationType({ parameters = [], requestBody, responses }: Operation): string {
  const places = ["query", "header", "path"].map((place) => {
    const here = parameters.filter((each) => each.in === place)
    const isNeeded = here.some(({ required }) => required === true)
    return here.length === 0
      ? `${place}?: never`
      : `${place}${isNeeded ? "" : "?"}: {\n${here.map(parameterType).join("\n")}\n}`
  })
  const body =
    requestBody === undefined
      ? "requestBody?: never"
      : `requestBody${requestBody.required === true ? "" : "?"}: ${contentType(requestBody.content)}`
  const successes = Object.entries(responses)
    .filter(([status]) => status.startsWith("2"))
    .map(([status, { content }]) => `${status}: ${contentType(content)}`)
  return `{\nparameters: { ${places.join("; ")} }\n${body}\nresponses: { ${successes.join("; ")} }\n}`
}

function parameterType({ name, required, description, schema }: Parameter): string {
  const comment = description === undefined ? "" : `/** ${description} */\n`
  return `${comment}${JSON.stringify(name)}${required === true ? "" : "?"}: ${typeOf(schema)}`
}

function contentType(content: Content | undefined): string {
  if (content === undefined) return "{ content?: never }"
  const types = Object.entries(content).map(([type, { schema }]) => `${JSON.stringify(type)}: ${typeOf(schema)}`)
  return `{ content: { ${types.join("; ")} } }`
}

function typeOf(schema: Schema): string {
  if (unsaid.some((keyword) => keyword in schema)) throw new Error(`No type is written for ${JSON.stringify(schema)}`)
  if (schema.$ref !== undefined) return `components["schemas"]["${schema.$ref.split("/").at(-1)}"]`
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)))
  if (schema.anyOf !== undefined) return union(schema.anyOf.map(typeOf))
  return union([schema.type ?? "unknown"].flat().map((type) => plainType(type, schema)))
}

function plainType(type: string, { items = {}, properties = {}, required = [], additionalProperties }: Schema): string {
  if (type === "integer") return "number"
  if (type === "array") return `Array<${typeOf(items)}>`
  if (type !== "object") return type
  const fields = Object.entries(properties).map(
    ([name, schema]) => `${name}${required.includes(name) ? "" : "?"}: ${typeOf(schema)}`,
  )
  if (typeof additionalProperties === "object") fields.push(`[key: string]: ${typeOf(additionalProperties)}`)
  return fields.length === 0 ? "Record<string, never>" : `{\n${fields.join("\n")}\n}`
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(" | ")
}

function referencesIn(type: string): string[] {
  return [...type.matchAll(/components\["schemas"\]\["(\w+)"\]/g)].map(([, name = ""]) => name)
}

async function formatted(name: string, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tilinta-types-"))
  try {
    const file = join(folder, name)
    await writeFile(file, text)
    const config = `--config-path=${repositoryFolder}`
    const { exitCode, output } = await runTool("biome", ["format", "--write", "--vcs-enabled=false", config, file], {
      output: "kept",
    })
    if (exitCode !== 0) throw new Error(output)
    return await readFile(file, "utf8")
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const { calls, types } = await writeClientSource()
  await writeFile(callsFile, calls)
  await writeFile(typesFile, types)
}
