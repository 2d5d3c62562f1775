import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openCollector } from "../../server/test-support/otlp-collector.ts"
import { report } from "./eventually.ts"
import { openWorkshop, type Workshop } from "./server-process.ts"

let workshop: Workshop

beforeAll(async () => {
  workshop = await openWorkshop()
})

afterAll(() => workshop.close())

/** Writes down which packages of OpenTelemetry are loaded, by whomever and however. */
const noteLoaded = `
  import { appendFileSync } from "node:fs"
  import { registerHooks } from "node:module"
  registerHooks({
    load(url, context, next) {
      const [, name] = /node_modules\\/(@opentelemetry\\/[^/]+)/.exec(url) ?? []
      if (name !== undefined) appendFileSync(process.env.NOTED_IN, name + "\\n")
      return next(url, context)
    },
  })
`

/** A life of the server with one request. */
async function live(env: Record<string, string> = {}) {
  const folder = await workshop.newFolder()
  const notes = join(folder, "loaded")
  await writeFile(notes, "")
  const options = `--import=data:text/javascript,${encodeURIComponent(noteLoaded)}`
  const server = await workshop.startServer({
    dataDir: await workshop.newFolder(),
    env: { NODE_OPTIONS: options, NOTED_IN: notes, ...env },
  })
  const { status } = await fetch(`${server.url}/pagina/nenhuma?token=a-secret`)
  const begin = performance.now()
  server.kill("SIGTERM")
  const { code } = await server.exited
  const loaded = new Set((await readFile(notes, "utf8")).split("\n").filter((name) => name !== ""))
  return { status, code, endMs: performance.now() - begin, loaded, output: server.stdout() + server.stderr() }
}

test("without a collector nothing of OpenTelemetry is loaded but what the metrics bring", async () => {
  const { status, code, loaded } = await live()
  expect([status, code]).toEqual([404, 0])
  expect([...loaded]).toEqual(["@opentelemetry/api"])
})

test("with one its library is loaded, and the last spans are sent before the process ends", async () => {
  const collector = await openCollector()
  const { code, loaded, output } = await live({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: "X-Key=a%20b",
    OTEL_SERVICE_NAME: "caixa",
  })
  expect(code).toBe(0)
  expect([...loaded]).toContain("@opentelemetry/sdk-trace")
  expect(collector.received[0]).toMatchObject({
    url: "/v1/traces",
    headers: { "x-key": "a b" },
    resource: { "service.name": "caixa" },
  })
  expect(collector.spans().map(({ name }) => name)).toContain("GET unknown")
  expect(JSON.stringify(collector.received)).not.toContain("a-secret")
  expect(output).not.toContain("traces")
})

test("a collector that doesn't answer holds up no stop", async () => {
  const collector = await openCollector("nothing")
  const { status, code, endMs, output } = await live({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
  report(`ended after ${Math.round(endMs)} ms`)
  expect([status, code]).toEqual([404, 0])
  expect(output.match(/traces could not be sent/g)).toHaveLength(1)
  expect(output).not.toMatch(/"part":"http and jobs".*did not stop in time/)
})
