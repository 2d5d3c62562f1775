import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { onTestFinished } from "vitest"
import type { Exchange } from "./conformity.ts"

type RecordingProxy = { url: string; exchanges: Exchange[] }

/** Records the exchanges between a client and the bank's API. */
export async function startRecordingProxy(upstream: string): Promise<RecordingProxy> {
  const exchanges: Exchange[] = []

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET", url: path = "/" } = request
    const body = await textOf(request)
    const requestHeaders = headersOf(request)
    const answer = await fetch(upstream + path, { method, headers: requestHeaders, ...(body !== "" && { body }) })
    const text = await answer.text()
    const [requestBody, responseBody] = [parsed(body), parsed(text)]
    exchanges.push({ method, path, requestHeaders, requestBody, status: answer.status, responseBody })
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "text/plain" }).end(text)
  }

  const server = createServer((request, response) => void pass(request, response).catch(() => response.destroy()))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, exchanges }
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const passed = ["authorization", "content-type"].map((name) => [name, headers[name]])
  return Object.fromEntries(passed.filter((entry): entry is [string, string] => typeof entry[1] === "string"))
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function parsed(text: string): unknown {
  return text === "" ? null : JSON.parse(text)
}
