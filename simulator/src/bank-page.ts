import { readFileSync } from "node:fs"
import type { FastifyInstance } from "fastify"
import { guardControl } from "./guard-control.ts"
import type { MayControl } from "./open-to.ts"
import { RequestRefused } from "./request-refused.ts"

const files = [
  { path: "/", file: "page.html", type: "text/html; charset=utf-8" },
  { path: "/app.js", file: "app.js", type: "text/javascript; charset=utf-8" },
  { path: "/base.css", file: "base.css", type: "text/css; charset=utf-8" },
  { path: "/app.css", file: "app.css", type: "text/css; charset=utf-8" },
  { path: "/controle", file: "control.html", type: "text/html; charset=utf-8" },
  { path: "/control.js", file: "control.js", type: "text/javascript; charset=utf-8" },
  { path: "/control-books.js", file: "control-books.js", type: "text/javascript; charset=utf-8" },
  { path: "/control-faults.js", file: "control-faults.js", type: "text/javascript; charset=utf-8" },
  { path: "/control-tools.js", file: "control-tools.js", type: "text/javascript; charset=utf-8" },
  { path: "/control.css", file: "control.css", type: "text/css; charset=utf-8" },
  { path: "/icon.svg", file: "icon.svg", type: "image/svg+xml" },
]

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ")

/**
 * The payer's bank app and the faults page, with scripts and styles under one prefix, so that a proxy needs no
 * rewriting.
 */
export async function bankPage(app: FastifyInstance, { mayControl }: { mayControl: MayControl }) {
  app.addHook("onRequest", async (_request, reply) => {
    reply.headers({
      "cache-control": "no-cache",
      "content-security-policy": contentSecurityPolicy,
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    })
  })
  app.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof RequestRefused)) throw error
    return reply.code(error.status).type("text/plain; charset=utf-8").send(error.message)
  })
  for (const { path, file, type } of files) {
    const content = readFileSync(new URL(`./bank-page/${file}`, import.meta.url))
    const guard = path === "/controle" ? { onRequest: guardControl(mayControl) } : {}
    app.get(path, guard, (_request, reply) => reply.type(type).send(content))
  }
}
