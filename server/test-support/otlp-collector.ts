import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { json } from "node:stream/consumers"
import { onTestFinished } from "vitest"

type Attributes = { key: string; value: { stringValue?: string; intValue?: number } }[]

interface ReceivedSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Attributes
  status: { code: number }
}

interface ReceivedRequest {
  url: string | undefined
  headers: NodeJS.Dict<string | string[]>
  resource: Record<string, string | number | undefined>
  spans: ReceivedSpan[]
}

interface Collector {
  url: string
  received: ReceivedRequest[]
  spans(): ReceivedSpan[]
  /** Sets the status of each answer from now on; "nothing" keeps all waiting. */
  answer(status: number | "nothing"): void
  close(): Promise<unknown>
}

/** A small receiver of OTLP's JSON. */
export async function openCollector(status: number | "nothing" = 200): Promise<Collector> {
  const received: ReceivedRequest[] = []
  const waiting: ServerResponse[] = []
  let answer = status
  const server = createServer((request, reply) => {
    void json(request).then((body) => {
      const [sent] = (body as { resourceSpans: SentResource[] }).resourceSpans
      const resource = plain(sent?.resource.attributes ?? [])
      const spans = sent?.scopeSpans.flatMap((scope) => scope.spans) ?? []
      received.push({ url: request.url, headers: request.headers, resource, spans })
      if (answer === "nothing") waiting.push(reply)
      else reply.writeHead(answer).end("{}")
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const close = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(() => void close())
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    spans: () => received.flatMap(({ spans }) => spans),
    answer(next) {
      answer = next
      if (next !== "nothing") for (const reply of waiting.splice(0)) reply.writeHead(next).end("{}")
    },
    close,
  }
}

type SentResource = { resource: { attributes: Attributes }; scopeSpans: { spans: ReceivedSpan[] }[] }

export function plain(attributes: Attributes): Record<string, string | number | undefined> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]))
}
