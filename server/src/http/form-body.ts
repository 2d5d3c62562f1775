import type { FastifyInstance, FastifyRequest } from "fastify"

/** For pages that work without script: their forms are all that is read. */
export function readOnlyForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))))
  })
}

/** For routes whose body is a file: whatever its header says it is, its content will tell. `maxBytes` where the server's limit is too low. */
export function readOnlyFiles(app: FastifyInstance, maxBytes?: number): void {
  app.removeAllContentTypeParsers()
  const options = { parseAs: "buffer", ...(maxBytes !== undefined && { bodyLimit: maxBytes }) } as const
  app.addContentTypeParser("*", options, (_request, body, done) => done(null, body))
  app.addHook("preValidation", async (request) => {
    request.body ??= Buffer.alloc(0)
  })
}

/**
 * True when another site's page sent this form. Old browsers, and all on plain http, send only the origin, or nothing.
 */
export function isForeignForm({ headers, host }: FastifyRequest, payersUrl: string): boolean {
  const site = headers["sec-fetch-site"]
  if (site !== undefined) return site !== "same-origin" && site !== "none"
  const { origin } = headers
  // Our own pages send no referrer, and browsers then omit the origin as well.
  if (origin === undefined || origin === "null") return false
  return origin !== payersUrl && URL.parse(origin)?.host !== host
}
