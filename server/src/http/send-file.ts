import type { Readable } from "node:stream"
import type { FileType } from "@tilinta/contract/api/define-endpoint"
import type { FastifyReply } from "fastify"

/** The answer of a handler for an endpoint that replies with a file. */
export interface SentFile {
  name: string
  content: Readable
  /** Needed by an endpoint that has more than one. */
  type?: FileType
}

/** For HEAD, the file would be generated only to be discarded. */
export function sendFileHead(reply: FastifyReply, type: FileType): FastifyReply {
  return reply.type(withCharset(type)).send()
}

function withCharset(type: FileType): string {
  return type === "text/csv" ? `${type}; charset=utf-8` : type
}

/** When the content fails midway, the connection is broken off: half a file must not look complete. */
export function sendFile(
  reply: FastifyReply,
  first: FileType,
  { name, content, type = first }: SentFile,
): FastifyReply {
  content.once("error", () => {
    // Without chunked encoding the connection's end is the file's end, so it must be reset.
    if (reply.raw.headersSent && reply.request.raw.httpVersion === "1.0") reply.raw.socket?.resetAndDestroy()
  })
  return reply.type(withCharset(type)).header("content-disposition", `attachment; filename="${name}"`).send(content)
}
