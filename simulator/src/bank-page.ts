import { readFileSync } from "node:fs"
import type { FastifyInstance } from "fastify"

const files = [
  { path: "/", file: "page.html", type: "text/html; charset=utf-8" },
  { path: "/app.js", file: "app.js", type: "text/javascript; charset=utf-8" },
  { path: "/base.css", file: "base.css", type: "text/css; charset=utf-8" },
  { path: "/app.css", file: "app.css", type: "text/css; charset=utf-8" },
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

/** The app of the payer's bank: a page, its script and its style, all under one prefix so that a proxy needs no rewriting. */
export async function bankPage(app: FastifyInstance) {
  app.addHook("onRequest", async (_request, reply) => {
    reply.headers({
      "cache-control": "no-cache",
      "content-security-policy": contentSecurityPolicy,
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    })
  })
  for (const { path, file, type } of files) {
    const content = readFileSync(new URL(`./bank-page/${file}`, import.meta.url))
    app.get(path, (_request, reply) => reply.type(type).send(content))
  }
}
