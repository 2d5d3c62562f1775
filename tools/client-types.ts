import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { allExamples } from "@tilinta/contract/all-examples"
import type { Endpoint } from "@tilinta/contract/define-endpoint"
import { presentApi } from "./openapi.ts"
import { repositoryFolder, runTool } from "./run-tool.ts"

const generator = "../../client/node_modules/.bin/openapi-typescript"
const note = "// Written by `npm run client:types`.\n"

interface Described {
  openapi: string
  info: object
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, object> }>>
  components: { schemas: Record<string, object> }
}

/** Committed, because the client runs on it; the types are made when somebody checks or packs the client. */
export const callsFile = clientFile("api-calls.ts")
const typesFile = clientFile("api-types.ts")

function clientFile(name: string): string {
  return join(repositoryFolder, "client/src", name)
}

/** The calls that a key may make or a payer needs, and their types. */
export async function writeClientSource(): Promise<{ calls: string; types: string }> {
  const endpoints = allExamples.map(({ endpoint }) => endpoint).filter(isForPrograms)
  const folder = await mkdtemp(join(tmpdir(), "tilinta-types-"))
  try {
    return {
      calls: await formatted(join(folder, "api-calls.ts"), callsOf(endpoints)),
      types: await typesOf(folder, endpoints),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
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

async function typesOf(folder: string, endpoints: readonly Endpoint[]): Promise<string> {
  const names = new Set(endpoints.map(({ operationId }) => operationId))
  const [document, written] = [join(folder, "openapi.json"), join(folder, "types.ts")]
  await writeFile(document, JSON.stringify(partOf(presentApi() as Described, names)))
  const { exitCode, output } = await runTool(
    generator,
    [document, "--default-non-nullable=false", "--output", written],
    { output: "kept" },
  )
  if (exitCode !== 0) throw new Error(output)
  const declarations = (await readFile(written, "utf8")).split(/^(?=export )/m)
  return note + declarations.filter((each) => /^export interface (components|operations) /.test(each)).join("")
}

/** The calls, their successes and the objects that these name, without the examples. */
function partOf({ openapi, info, paths, components }: Described, names: ReadonlySet<string>): Described {
  const kept = Object.entries(paths).flatMap(([path, operations]) => {
    const called = Object.entries(operations).filter(([, { operationId }]) => names.has(operationId))
    return called.length === 0 ? [] : [[path, Object.fromEntries(called.map(withoutFailures))] as const]
  })
  const part = withoutExamples({ openapi, info, paths: Object.fromEntries(kept) }) as Described
  const schemas: Described["components"]["schemas"] = {}
  const waiting = [...referencesIn(part), "Error"]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const schema = components.schemas[name]
    if (schema === undefined || name in schemas) continue
    schemas[name] = schema
    waiting.push(...referencesIn(schema))
  }
  return { ...part, components: { schemas: Object.fromEntries(Object.entries(schemas).sort()) } }
}

function withoutFailures([method, operation]: [string, Described["paths"][string][string]]) {
  const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith("2"))
  return [method, { ...operation, responses: Object.fromEntries(successes) }] as const
}

function withoutExamples(value: object): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner: unknown) => (key === "example" ? undefined : inner)))
}

function referencesIn(value: object): string[] {
  return [...JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = ""]) => name)
}

async function formatted(file: string, text: string): Promise<string> {
  await writeFile(file, text)
  const config = `--config-path=${repositoryFolder}`
  const { exitCode, output } = await runTool("biome", ["format", "--write", "--vcs-enabled=false", config, file], {
    output: "kept",
  })
  if (exitCode !== 0) throw new Error(output)
  return readFile(file, "utf8")
}

if (import.meta.main) {
  const { calls, types } = await writeClientSource()
  await writeFile(callsFile, calls)
  await writeFile(typesFile, types)
}
