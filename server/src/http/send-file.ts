import type { Readable } from "node:stream"
import type { FastifyReply } from "fastify"

/** The answer of a handler for an endpoint that replies with a file. */
export interface SentFile {
  name: string
  content: Readable
}

/** For HEAD, the file would be generated only to be discarded. */
export function sendFileHead(reply: FastifyReply, type: string): FastifyReply {
  return reply.type(`${type}; charset=utf-8`).send()
}

/** When the content fails midway, the connection is broken off: half a file must not look complete. */
export function sendFile(reply: FastifyReply, type: string, { name, content }: SentFile): FastifyReply {
  content.once("error", () => {
    // Without chunked encoding the connection's end is the file's end, so it must be reset.
    if (reply.raw.headersSent && reply.request.raw.httpVersion === "1.0") reply.raw.socket?.resetAndDestroy()
  })
  return reply
    .type(`${type}; charset=utf-8`)
    .header("content-disposition", `attachment; filename="${name}"`)
    .send(content)
}
