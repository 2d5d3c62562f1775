import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import type { FastifyReply, FastifyRequest } from "fastify"

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/** Fast levels, since the page is rendered per visitor; below 5 the checkout would exceed the first TCP window. */
const brotliOptions = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 5,
    [constants.BROTLI_PARAM_LGWIN]: 16,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  },
}

/** Sends the text in an encoding that the browser accepts, compressed off the event loop. */
export async function compressReply(request: FastifyRequest, reply: FastifyReply, text: string): Promise<Buffer> {
  const body = Buffer.from(text)
  const encoding = acceptedEncoding(request)
  reply.header("vary", "accept-encoding")
  if (encoding === null) return body

  reply.header("content-encoding", encoding)
  return encoding === "br" ? brotli(body, brotliOptions) : gzipped(body, { level: 5 })
}

export function acceptedEncoding(request: FastifyRequest): "br" | "gzip" | null {
  const accepted = (request.headers["accept-encoding"] ?? "")
    .split(",")
    .map((item) => item.trim().toLowerCase())
    .filter((item) => !/;\s*q=0(\.0+)?$/.test(item))
    .map((item) => item.split(";", 1)[0])
  if (accepted.includes("br")) return "br"
  return accepted.includes("gzip") ? "gzip" : null
}
