import { readdir } from "node:fs/promises"
import { allExamples } from "@tilinta/contract/all-examples"
import type { Endpoint, Example } from "@tilinta/contract/define-endpoint"
import { afterAll, describe, expect, test } from "vitest"
import { callAsIntended } from "../../test-support/edge-calls.ts"
import { furnish } from "../../test-support/edge-things.ts"
import { openEdgeWorld, type WorldUser } from "../../test-support/edge-world.ts"

const world = await openEdgeWorld()

afterAll(() => world.close())

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
const named = allExamples.map((example): [string, Example] => [nameOf(example.endpoint), example])

test("every endpoint of the contract has exactly one example in contract/src", async () => {
  const folder = new URL("../../../contract/src/", import.meta.url)
  const files = (await readdir(folder)).filter((name) => /^(?!.*test).*\.ts$/.test(name))
  const modules = await Promise.all(files.map((name) => import(new URL(name, folder).href)))
  const endpoints = modules
    .flatMap((exported: object) => Object.entries(exported))
    .filter(([name, value]) => name.endsWith("Endpoint") && typeof value === "object")
    .map(([, endpoint]) => nameOf(endpoint as Endpoint))
  expect(named.map(([name]) => name).sort()).toEqual(endpoints.sort())
})

describe("an example is true", () => {
  test.each(named)("%s: what is sent and answered passes the endpoint's own schemas", (_name, example) => {
    const { params, query, body, reply } = example.endpoint
    expect(params?.safeParse(example.params).error).toBeUndefined()
    expect(query?.safeParse(example.query).error).toBeUndefined()
    expect(body?.safeParse(example.body).error).toBeUndefined()
    if (reply.status === 204 || "file" in reply) expect(example.reply).toBeUndefined()
    else expect(reply.schema.parse(example.reply)).toEqual(example.reply)
  })

  let furnished: Promise<WorldUser> | undefined

  /** Reading changes nothing, so one owner of everything is enough for all that read. */
  async function furnishedOwner(): Promise<WorldUser> {
    const owner = await world.user()
    await furnish(world, owner)
    return owner
  }

  test.each(named)("%s: the running server takes it and answers in the same shape", async (_name, example) => {
    const owner = await (example.endpoint.method === "GET" ? (furnished ??= furnishedOwner()) : world.user())
    const answer = await callAsIntended(world, example, owner)
    expect(answer).toMatchObject({ status: example.endpoint.reply.status })
    expect(differences(example.reply, answer.json, "reply")).toEqual([])
  })
})

test("the description shows them, with every refusal's code and message", async () => {
  const { paths } = (await world.call("GET", "/api/openapi.json")).json
  for (const { endpoint, body, reply, failures } of allExamples) {
    const operation = paths[endpoint.path.replace(/:(\w+)/g, "{$1}")][endpoint.method.toLowerCase()]
    const json = "application/json"
    expect(operation.requestBody?.content[json]?.example).toEqual(body)
    if (reply !== undefined) expect(operation.responses[endpoint.reply.status].content[json].example).toEqual(reply)
    const shown = Object.values(operation.responses as object).flatMap((response) =>
      Object.keys(response.content?.[json]?.examples ?? {}),
    )
    expect(shown).toEqual(expect.arrayContaining([...failures]))
  }
})

/** Paths at which two JSON values differ in shape; null matches anything, and a list is compared by its first row. */
function differences(example: unknown, real: unknown, path: string): string[] {
  if (example === null || real === null) return []
  if (typeof example !== typeof real || Array.isArray(example) !== Array.isArray(real)) return [path]
  if (typeof example !== "object") return []
  const [describedKeys, realKeys] = [Object.keys(example), Object.keys(real as object)]
  if (Array.isArray(example)) return differences(example[0], (real as unknown[])[0], `${path}.0`)
  const strays = describedKeys
    .filter((key) => !realKeys.includes(key))
    .concat(realKeys.filter((key) => !describedKeys.includes(key)))
  const nested = describedKeys.flatMap((key) => differences(field(example, key), field(real, key), `${path}.${key}`))
  return [...strays.map((key) => `${path}.${key}`), ...nested]
}

function field(value: unknown, key: string): unknown {
  return (value as Record<string, unknown>)[key]
}
