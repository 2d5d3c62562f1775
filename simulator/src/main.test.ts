import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:net"
import { fileURLToPath } from "node:url"
import { expect, onTestFinished, test } from "vitest"
import { type AnswerBody, basic, chargeBody, newTxid, temporaryDir } from "../test-support/test-bank.ts"

const main = fileURLToPath(new URL("./main.ts", import.meta.url))

type Run = { child: ChildProcess; lines: string[]; exit: Promise<number | null> }

function run(env: Record<string, string>): Run {
  const child = spawn(process.execPath, [main], { env: { PATH: process.env.PATH, ...env } })
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => lines.push(...chunk.toString().split("\n").filter(Boolean)))
  }
  onTestFinished(() => void child.kill("SIGKILL"))
  return { child, lines, exit: once(child, "close").then(([code]) => code) }
}

async function ready({ lines, exit }: Run): Promise<{ url: string; receiverKey: string }> {
  const failed = exit.then(() => Promise.reject(new Error(`ended early: ${lines.join("\n")}`)))
  failed.catch(() => undefined)
  const match = async () => {
    for (;;) {
      const found = /pronto em (\S+)\/simulador \(chave Pix (\S+)\)/.exec(lines.join("\n"))
      if (found !== null) return { url: found[1] ?? "", receiverKey: found[2] ?? "" }
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  return Promise.race([match(), failed])
}

async function client(url: string) {
  const headers = { authorization: basic, "content-type": "application/json" }
  const grant = JSON.stringify({ grant_type: "client_credentials" })
  const issued = await fetch(`${url}/oauth/token`, { method: "POST", headers, body: grant })
  const { access_token } = (await issued.json()) as { access_token: string }
  return async (method: string, path: string, body?: unknown): Promise<AnswerBody> => {
    const answer = await fetch(url + path, {
      method,
      headers: { "content-type": "application/json", authorization: `Bearer ${access_token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return (await answer.json()) as AnswerBody
  }
}

test.each(["SIGTERM", "SIGINT"] as const)("it starts, says where in one line, and ends well on %s", async (signal) => {
  const simulator = run({ SIMULATOR_PORT: "0", SIMULATOR_DATA_DIR: temporaryDir() })
  const { url } = await ready(simulator)
  expect((await fetch(`${url}/simulador`)).status).toBe(200)

  simulator.child.kill(signal)

  expect(await simulator.exit).toBe(0)
  expect(simulator.lines).toHaveLength(1)
})

test("what was paid before a kill -9 stands in the books after it", async () => {
  const env = { SIMULATOR_PORT: "0", SIMULATOR_DATA_DIR: temporaryDir() }
  const killed = run(env)
  const before = await ready(killed)
  const call = await client(before.url)
  const txid = newTxid()
  const charge = await call("PUT", `/v2/cob/${txid}`, chargeBody(before.receiverKey))
  const open = await call("PUT", `/v2/cob/${newTxid()}`, chargeBody(before.receiverKey))
  const { pixCopiaECola } = charge
  const payment = await call("POST", "/simulador/api/pagamentos", { pixCopiaECola })
  killed.child.kill("SIGKILL")
  await killed.exit

  const after = await ready(run(env))
  const callAgain = await client(after.url)

  expect(after.receiverKey).toBe(before.receiverKey)
  expect(await callAgain("GET", `/v2/cob/${txid}`)).toMatchObject({
    status: "CONCLUIDA",
    pixCopiaECola,
    pix: [{ endToEndId: payment.endToEndId }],
  })
  const late = await callAgain("POST", "/simulador/api/pagamentos", { pixCopiaECola: open.pixCopiaECola })
  expect(late).toMatchObject({ txid: open.txid })
})

test.each([
  ["SIMULATOR_PORT", "oitenta"],
  ["SIMULATOR_PORT", "65536"],
  ["SIMULATOR_HOST", "a b"],
  ["SIMULATOR_DATA_DIR", "/dev/null/livros"],
  ["SIMULATOR_PUBLIC_URL", "pix.example.com"],
  ["SIMULATOR_OPEN_TO", "0.0.0.0/0"],
])("a bad %s (%s) ends the start with one line that names it", async (name, value) => {
  const simulator = run({ SIMULATOR_PORT: "0", SIMULATOR_DATA_DIR: temporaryDir(), [name]: value })
  expect(await simulator.exit).toBe(1)
  expect(simulator.lines).toEqual([expect.stringContaining(name)])
})

test("a port in use ends the start with one line that names it", async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void taken.close())
  const { port } = taken.address() as { port: number }

  const simulator = run({ SIMULATOR_PORT: String(port), SIMULATOR_DATA_DIR: temporaryDir() })

  expect(await simulator.exit).toBe(1)
  expect(simulator.lines).toEqual([expect.stringContaining("SIMULATOR_PORT")])
})
