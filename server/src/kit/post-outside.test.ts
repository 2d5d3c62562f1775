import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http"
import { createServer as createTlsServer } from "node:https"
import type { AddressInfo } from "node:net"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { afterEach, expect, test } from "vitest"
import { makeIdentity } from "../../test-support/tls-files.ts"
import { type OutsideAccess, postOutside } from "./outside.ts"

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  stops.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const serve = (handle: RequestListener) => listen(createServer(handle))
const sandbox: OutsideAccess = { resolve: async () => ["127.0.0.1"], allowsLocal: true }
const bounds = { timeoutMs: 5_000, maxBytes: 64 * 1024 }
const post = (url: string, access = sandbox, limits = bounds) =>
  postOutside(access, { url, headers: { "content-type": "application/json" }, body: '{"olá":1}' }, limits)

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ""
  for await (const chunk of request) text += String(chunk)
  return text
}

test("sends the body to the address that the name had when it was checked, with the name as host", async () => {
  const seen: unknown[] = []
  const port = await serve(async (request, reply) => {
    const { headers, method, url } = request
    seen.push({ host: headers.host, method, url, body: await bodyOf(request) })
    reply.end("obrigado")
  })
  const answer = await post(`http://loja.example:${port}/gancho?a=1`)
  expect(answer).toMatchObject({ status: 200, text: "obrigado", failure: null })
  expect(seen).toEqual([{ host: `loja.example:${port}`, method: "POST", url: "/gancho?a=1", body: '{"olá":1}' }])
})

test("a name that answers differently the second time is asked once a sending, and never led inside", async () => {
  let hits = 0
  const port = await serve(async (request, reply) => {
    await bodyOf(request)
    hits += 1
    reply.end()
  })
  const answers = [["127.0.0.1"], ["10.0.0.1"], ["127.0.0.1", "169.254.169.254"]]
  let asked = 0
  const rebinding = { ...sandbox, resolve: async () => answers[asked++] ?? ["::ffff:127.0.0.1"] }
  const url = `http://rebind.example:${port}/`
  expect(await post(url, rebinding)).toMatchObject({ status: 200 })
  expect(asked).toBe(1)
  for (let again = 0; again < 3; again += 1) expect(await post(url, rebinding)).toMatchObject({ failure: "inside" })
  expect({ asked, hits }).toEqual({ asked: 4, hits: 1 })
})

test.each([301, 302, 303, 307, 308])("a redirect (%i) inside is an answer, and is not followed", async (status) => {
  let inside = 0
  const secret = await serve((_request, reply) => {
    inside += 1
    reply.end("segredo")
  })
  const port = await serve((_request, reply) => {
    reply.writeHead(status, { location: `http://127.0.0.1:${secret}/latest/meta-data/` }).end()
  })
  expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({ status, text: "", failure: null })
  expect(inside).toBe(0)
})

test("reads at most 64 kB of an endless answer", async () => {
  const port = await serve((_request, reply) => {
    const more = () => void (reply.writable && reply.write("x".repeat(16_384), more))
    more()
  })
  const { status, text } = await post(`http://127.0.0.1:${port}/`)
  expect({ status, length: text.length }).toEqual({ status: 200, length: 64 * 1024 })
})

test("an answer whose body never ends counts by its status", async () => {
  const port = await serve((_request, reply) => {
    reply.writeHead(204, { "content-length": "0" }).end()
  })
  const stalling = await serve((_request, reply) => void reply.writeHead(200).write("quase"))
  expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({ status: 204 })
  expect(await post(`http://127.0.0.1:${stalling}/`, sandbox, { ...bounds, timeoutMs: 300 })).toMatchObject({
    ...{ status: 200, text: "quase", failure: null },
  })
})

test("silence, a closed port, a broken answer and a name without address each have a word", async () => {
  const silent = await serve(() => undefined)
  const hurry = { ...bounds, timeoutMs: 200 }
  expect(await post(`http://127.0.0.1:${silent}/`, sandbox, hurry)).toMatchObject({ failure: "timed_out" })
  const endless = { ...sandbox, resolve: () => new Promise<string[]>(() => undefined) }
  expect(await post("http://loja.example/", endless, hurry)).toMatchObject({ failure: "timed_out" })
  const broken = await serve((request) => request.socket.destroy())
  expect(await post(`http://127.0.0.1:${broken}/`)).toMatchObject({ failure: "broken" })
  expect(await post("http://127.0.0.1:1/")).toMatchObject({ failure: "refused" })
  expect(await post("http://loja.example/", { ...sandbox, resolve: async () => [] })).toMatchObject({
    failure: "unresolved",
  })
})

test("TLS is checked against the name, although the connection goes to a checked address", async () => {
  const authority = makeIdentity({ name: "Autoridade", isAuthority: true })
  const identity = makeIdentity({ name: "localhost", issuer: authority })
  const port = await listen(createTlsServer(identity, (_request, reply) => reply.end("seguro")))
  expect(await post(`https://localhost:${port}/`)).toMatchObject({ failure: "tls" })
  const usual = getCACertificates("default")
  setDefaultCACertificates([...usual, authority.cert])
  stops.push(() => setDefaultCACertificates(usual))
  expect(await post(`https://localhost:${port}/`)).toMatchObject({ status: 200, text: "seguro" })
  expect(await post(`https://outra.example:${port}/`)).toMatchObject({ failure: "tls" })
})
