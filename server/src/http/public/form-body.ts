import type { FastifyInstance } from "fastify"

/** For pages that work without script: their forms are all that is read. */
export function readOnlyForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))))
  })
}
