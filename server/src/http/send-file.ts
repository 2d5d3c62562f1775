import type { Readable } from "node:stream"
import type { FastifyReply } from "fastify"

/** What the handler of an endpoint that replies with a file answers. */
export interface SentFile {
  name: string
  content: Readable
}

/** The file itself would be made only to be thrown away. */
export function sendFileHead(reply: FastifyReply, type: string): FastifyReply {
  return reply.type(`${type}; charset=utf-8`).send()
}

/** When the content ends in the middle, so does the connection: half a file must not look like a whole one. */
export function sendFile(reply: FastifyReply, type: string, { name, content }: SentFile): FastifyReply {
  content.once("error", () => {
    // Without chunks the connection's end is the file's end, so it has to be torn off.
    if (reply.raw.headersSent && reply.request.raw.httpVersion === "1.0") reply.raw.socket?.resetAndDestroy()
  })
  return reply
    .type(`${type}; charset=utf-8`)
    .header("content-disposition", `attachment; filename="${name}"`)
    .send(content)
}
