import { execFile, spawn } from "node:child_process"
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { createServer as createHttpServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type TilintaEvent, verifyWebhook } from "../client/src/tilinta.ts"
import { openWorkshop, type ServerProcess, type Workshop } from "../lab/crash-tests/server-process.ts"
import { send, sendJson } from "../lab/crash-tests/shop.ts"
import { findFreePort } from "../server/test-support/free-port.ts"
import { repositoryFolder } from "../tools/run-tool.ts"
import { curlSnippets, typeScriptSnippets } from "../web/src/seller/developers/snippets.ts"

const run = promisify(execFile)
const begin = performance.now()
/** Ten minutes, with the server's start, the client's package and the first steps, on whatever machine this is. */
const mostSeconds = 600

let workshop: Workshop
let server: ServerProcess
let folder: string

beforeAll(async () => {
  workshop = await openWorkshop()
  server = await workshop.startServer({ dataDir: await workshop.newFolder() })
  folder = await mkdtemp(join(tmpdir(), "tilinta-shop-"))
})

afterAll(async () => {
  await workshop.close()
  await rm(folder, { recursive: true, force: true })
})

let sellers = 0

/** Registers a seller and creates a key. */
async function newKey(scopes: string[]): Promise<string> {
  sellers += 1
  const email = `loja-${sellers}@exemplo.com.br`
  const account = {
    name: "Loja",
    email,
    cpf: "52998224725",
    password: "senha-da-loja",
    passwordConfirm: "senha-da-loja",
  }
  const { body } = await sendJson(`${server.url}/api/v1/auth/signup`, "POST", account)
  const wish = { name: "Loja", scopes, passwordCurrent: account.password }
  const headers = { authorization: `Bearer ${String(body["token"])}` }
  const reply = await sendJson(`${server.url}/api/v1/users/me/api-keys`, "POST", wish, headers)
  return (reply.body as { data: { key: string } }).data.key
}

/** Adds a webhook by a key, as a program would, and returns its secret. */
async function addWebhook(key: string, url: string): Promise<{ id: string; secret: string }> {
  const headers = { authorization: `Bearer ${key}` }
  const reply = await sendJson(`${server.url}/api/v1/users/me/webhooks`, "POST", { url, types: [] }, headers)
  const { webhook, secret } = (reply.body as { data: { webhook: { _id: string }; secret: string } }).data
  return { id: webhook._id, secret }
}

async function pay(pixCode: string): Promise<void> {
  const { status } = await sendJson(`${server.url}/simulador/api/pagamentos`, "POST", { pixCopiaECola: pixCode })
  expect(status).toBe(201)
}

test("the first steps of the reference, as they are shown, lead from no account to a paid charge", async () => {
  const { body } = await send(`${server.url}/api/openapi.json`)
  const { description } = body["info"] as { description: string }
  const commands = [...description.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, command = ""]) => command)
  expect(commands).toHaveLength(5)
  expect(commands.filter((command) => !command.includes("curl"))).toEqual([])
  const { stdout } = await run("sh", ["-euc", commands.join("\n")], { timeout: 60_000 })
  expect(stdout).toMatch(/"endToEndId":"E.*"status":"pago"/s)
})

test("the client is packed without anything else, and installs without a registry", async () => {
  const client = join(repositoryFolder, "client")
  await run("npm", ["pack", "--pack-destination", folder], { cwd: client })
  const archive = (await readdir(folder)).find((name) => name.endsWith(".tgz")) ?? ""
  const { stdout } = await run("tar", ["tzf", join(folder, archive)])
  const files = stdout
    .trim()
    .split("\n")
    .map((name) => name.replace(/^package\//, ""))
  expect(files.filter((name) => !/^dist\/[a-z-]+(\.d)?\.(js|ts)$/.test(name)).sort()).toEqual([
    "README.md",
    "package.json",
  ])
  expect(files).toEqual(expect.arrayContaining(["dist/tilinta.js", "dist/tilinta.d.ts", "dist/cli.js"]))

  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }))
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", `./${archive}`], { cwd: folder })
  expect(await readdir(join(folder, "node_modules/@tilinta"))).toEqual(["client"])
})

test("its types and its README's and the shop's code compile, strictly", async () => {
  const examples = await readmeExamples()
  expect(examples.length).toBeGreaterThan(2)
  await writeFile(join(folder, "readme.ts"), inOneFile(examples))
  await writeFile(join(folder, "loja.ts"), typeScriptSnippets.program)
  await cp(join(repositoryFolder, "examples/shop/shop.ts"), join(folder, "shop.ts"))
  const compilerOptions = {
    target: "es2022",
    module: "nodenext",
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    types: ["node"],
    typeRoots: [join(repositoryFolder, "node_modules/@types")],
  }
  await writeFile(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, files: ["readme.ts", "shop.ts", "loja.ts"] }),
  )
  const { stdout } = await run(join(repositoryFolder, "node_modules/.bin/tsc"), ["-p", folder]).catch(
    (failure: { stdout: string }) => failure,
  )
  expect(stdout).toBe("")
})

test("the whole shop is forty lines", async () => {
  const lines = (await readFile(join(folder, "shop.ts"), "utf8")).split("\n").map((line) => line.trim())
  expect(lines.filter((line) => line !== "" && !line.startsWith("//")).length).toBeLessThanOrEqual(40)
})

async function readmeExamples(): Promise<string[]> {
  const readme = await readFile(join(repositoryFolder, "client/README.md"), "utf8")
  return [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code)
}

/** Each import once, at the top. */
function inOneFile(examples: string[]): string {
  const lines = examples.join("\n").split("\n")
  const imports = new Set(lines.filter((line) => line.startsWith("import ")))
  return [...imports, ...lines.filter((line) => !line.startsWith("import "))].join("\n")
}

test("the shop sells, is told by webhook that it was paid, and refunds, also over a restart", async () => {
  const key = await newKey(["pages:write", "refunds:write", "webhooks:write"])
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const { secret } = await addWebhook(key, `${url}/hook`)
  const env = { PORT: String(port), TILINTA_API_KEY: key, TILINTA_URL: server.url, WEBHOOK_SECRET: secret }
  const statuses = async () => {
    const orders = (await send(`${url}/`)).body as unknown as { status: string }[]
    return orders.map(({ status }) => status).sort()
  }

  let shop = await openShop(env)
  const buy = () => sendJson(`${url}/buy`, "POST", {})
  const [{ body: order }, { body: other }] = await Promise.all([buy(), buy()])
  expect([order, other].map(({ reference }) => reference).sort()).toEqual(["pedido-1", "pedido-2"])
  await pay(String(order["pixCode"]))
  await expect.poll(statuses, { timeout: 15_000 }).toEqual(["paid", "waiting"])
  await shop.close()
  await pay(String(other["pixCode"]))

  shop = await openShop(env)
  await expect.poll(statuses, { timeout: 30_000 }).toEqual(["paid", "paid"])
  await sendJson(`${url}/refund/${String(order["reference"])}`, "POST", {})
  await expect.poll(statuses, { timeout: 15_000 }).toEqual(["paid", "refunded"])

  const forged = {
    type: "charge.refunded",
    sequence: 999,
    data: { transaction: { externalReference: other["reference"] } },
  }
  const headers = {
    "webhook-id": "evt_1",
    "webhook-timestamp": String(Math.floor(Date.now() / 1000)),
    "webhook-signature": `v1,${Buffer.alloc(32).toString("base64")}`,
  }
  expect((await sendJson(`${url}/hook`, "POST", forged, headers)).status).toBe(400)
  expect(await statuses()).toEqual(["paid", "refunded"])
  await shop.close()
  const seconds = (performance.now() - begin) / 1000
  process.stdout.write(`${new Date().toISOString()} From an empty folder to a refund: ${seconds.toFixed(1)} s\n`)
  expect(seconds).toBeLessThan(mostSeconds)
})

test("the first steps under Integrações, as they are shown, lead to a charge and to its payment", async () => {
  const place = { url: server.url, key: await newKey(["pages:write", "events:read"]) }
  const curl = [curlSnippets.prepare(place), curlSnippets.charge, "echo", curlSnippets.events]
  const { stdout } = await run("sh", ["-euc", curl.join("\n")], { timeout: 60_000 })
  const [charge = "", events = ""] = stdout.trim().split("\n")
  expect(JSON.parse(charge)).toMatchObject({ data: { charge: { amount: 49.9, status: "pendente" } } })
  expect(JSON.parse(events)).toMatchObject({ status: "success", data: { next: expect.any(Number) } })

  // The package is the one that was packed here: the registry has none of this version.
  const [install, ...prepare] = typeScriptSnippets.prepare(place).split("\n")
  expect(install).toBe("npm install @tilinta/client")
  const program = start("sh", ["-euc", [...prepare, typeScriptSnippets.run].join("\n")])
  await pay(await program.printed(/^(0002.*)$/m))
  await program.printed(/^(Pago: 49\.9)$/m)
  expect((await program.ended()).code).toBe(0)
})

test("the README's examples run: a sale, the list, the events, and a webhook that the server delivers", async () => {
  const key = await newKey(["pages:write", "transactions:read", "events:read", "webhooks:write"])
  const env = { TILINTA_API_KEY: key, TILINTA_URL: server.url }
  const first = start(process.execPath, ["readme.ts"], env)
  await pay(await first.printed(/^(0002.*) http:\S+\/checkout\//m))
  await first.printed(/^(\d+ 150\.5)$/m)
  await first.stop("SIGTERM")
  // The same keys give the same charge, which the list shows now.
  const second = start(process.execPath, ["readme.ts"], env)
  await second.printed(/^([0-9a-f-]{36} \d+(?:\.\d+)?)$/m)
  await second.stop("SIGTERM")

  const port = await findFreePort()
  const { id, secret } = await addWebhook(key, `http://127.0.0.1:${port}/`)
  await writeFile(join(folder, "webhook.ts"), (await readmeExamples()).at(-1) ?? "")
  await writeFile(join(folder, "listen.js"), listenWithHandle)
  const hook = start(process.execPath, ["listen.js"], { PORT: String(port), WEBHOOK_SECRET: secret })
  await hook.printed(/(listening)/)
  const headers = { authorization: `Bearer ${key}` }
  const sendTest = () => sendJson(`${server.url}/api/v1/users/me/webhooks/${id}/test`, "POST", {}, headers)
  // The first one may be the challenge, unless that was answered already.
  await sendTest()
  const { body } = await sendTest()
  expect(body["data"]).toMatchObject({ test: { isDelivered: true, status: 204 } })
  await hook.printed(/(webhook\.test)/)
  await hook.stop("SIGTERM")
})

/** A server of Node's that hands its requests to a function of the web's. */
const listenWithHandle = `
import { createServer } from "node:http"
import { buffer } from "node:stream/consumers"
import { handle } from "./webhook.ts"
createServer(async (request, response) => {
  const body = await buffer(request)
  const reply = await handle(new Request("http://localhost/", { method: "POST", headers: request.headers, body }))
  response.writeHead(reply.status).end(await reply.text())
}).listen(Number(process.env.PORT), "127.0.0.1", () => console.log("listening"))
`

interface Program {
  printed(pattern: RegExp): Promise<string>
  ended(): Promise<{ code: number | null; output: string }>
  stop(signal: "SIGINT" | "SIGTERM"): Promise<number | null>
}

/** Runs in the folder that has the package. */
function start(file: string, words: string[], env: Record<string, string> = {}): Program {
  const child = spawn(file, words, { cwd: folder, env: { PATH: process.env["PATH"] ?? "", ...env } })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (part) => (output += part))
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve))
  return {
    async printed(pattern) {
      await expect.poll(() => output, { timeout: 15_000 }).toMatch(pattern)
      return pattern.exec(output)?.[1] ?? ""
    },
    ended: async () => ({ code: await ended, output }),
    async stop(signal) {
      child.kill(signal)
      return ended
    },
  }
}

/** Runs the installed package's command. */
function command(words: string[], env: Record<string, string>): Program {
  return start(join(folder, "node_modules/.bin/tilinta"), words, env)
}

async function serve(listener: RequestListener): Promise<{ url: string; close(): void }> {
  const hook = createHttpServer(listener)
  await new Promise<void>((resolve) => hook.listen(0, "127.0.0.1", resolve))
  const { port } = hook.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/hook`, close: () => hook.close() }
}

async function openShop(env: Record<string, string>): Promise<{ close(): Promise<void> }> {
  const shop = spawn(process.execPath, ["shop.ts"], { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] })
  const closed = new Promise<void>((resolve) => shop.once("close", () => resolve()))
  await new Promise<void>((resolve, reject) => {
    shop.stdout.once("data", () => resolve())
    shop.once("close", () => reject(new Error("the shop closed")))
  })
  return {
    close: async () => {
      shop.kill("SIGTERM")
      await closed
    },
  }
}

test("the listener prints events, posts them signed, and goes on where it stopped", async () => {
  const key = await newKey(["pages:write", "events:read", "refunds:write", "pages:read"])
  const env = { TILINTA_API_KEY: key, TILINTA_URL: server.url, XDG_STATE_HOME: folder, PATH: process.env["PATH"] ?? "" }
  const heard: TilintaEvent[] = []
  let secret = ""
  const hook = await serve(async (request, response) => {
    const body = await text(request)
    heard.push(await verifyWebhook(body, request.headers, secret))
    response.writeHead(204).end()
  })

  const listening = command(["listen", "--forward", hook.url], env)
  secret = await listening.printed(/Signed with (whsec_\S+)/)
  await listening.printed(/Listening to/)
  await command(["trigger", "charge.refunded"], env).ended()
  await expect.poll(() => heard.map(({ type }) => type)).toContain("charge.refunded")
  expect(await listening.stop("SIGINT")).toBe(0)

  await command(["trigger", "charge.cancelled"], env).ended()
  const again = command(["listen", "--forward", hook.url], env)
  await expect.poll(() => heard.map(({ type }) => type)).toContain("charge.cancelled")
  expect(await again.stop("SIGINT")).toBe(0)
  hook.close()
  const sequences = heard.map(({ sequence }) => sequence)
  expect(sequences).toEqual(sequences.map((_each, index) => index + 1))
})

test.each([
  [["trigger", "charge.lost"], "tk_test_x", "can't be triggered"],
  [["trigger", "toString"], "tk_test_x", "can't be triggered"],
  [["trigger", "charge.paid"], "tk_live_x", "Only a sandbox"],
  [["listen"], "", "Set TILINTA_API_KEY"],
  [["watch"], "tk_test_x", "Usage:"],
])("tilinta %j says what is wrong", async (words, key, complaint) => {
  const { code, output } = await command(words, { TILINTA_API_KEY: key }).ended()
  expect(code).toBe(2)
  expect(output).toContain(complaint)
})
