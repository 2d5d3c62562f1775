import { randomBytes } from "node:crypto"
import { promisify } from "node:util"
import { gunzip, gzip } from "node:zlib"
import Fastify, { type FastifyInstance } from "fastify"
import { readPlatform } from "#domain/platform/settings/read-platform"
import { escapeHtml } from "#kit/escape-html"
import { acceptedEncoding } from "./compress-reply.ts"
import type { HttpDeps } from "./deps.ts"
import type { Platform } from "./openapi.ts"

const scriptPath = "/api/docs/scalar.js"

/** The interactive API reference makes no request to third parties: fonts, telemetry and helpers are off. */
const settings = {
  url: "/api/openapi.json",
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  localization: { locale: "pt" },
  darkMode: true,
  agent: { disabled: true },
  mcp: { disabled: true },
}

export function apiDocs(
  app: FastifyInstance,
  { db, publicUrl, simulatorUrl }: Pick<HttpDeps, "db" | "publicUrl" | "simulatorUrl">,
): void {
  const isSandbox = simulatorUrl !== null
  let described: { name: string; description: Promise<object> } | undefined
  let script: Promise<Buffer> | undefined

  app.get("/api/openapi.json", async () => {
    const { name } = await readPlatform(db)
    if (described?.name !== name) {
      described = { name, description: describe({ name, publicUrl, isSandbox }) }
    }
    return described.description
  })

  app.get("/api/docs", async (_request, reply) => {
    const nonce = randomBytes(16).toString("base64")
    reply.header("content-security-policy", policy(nonce)).type("text/html; charset=utf-8")
    return reply.send(page(nonce, (await readPlatform(db)).name))
  })

  app.get(scriptPath, async (request, reply) => {
    script ??= loadScript()
    reply
      .headers({ "cache-control": "no-cache", vary: "accept-encoding" })
      .type("application/javascript; charset=utf-8")
    if (acceptedEncoding(request) === null) return reply.send(await promisify(gunzip)(await script))
    return reply.header("content-encoding", "gzip").send(await script)
  })
}

/** Loaded on demand, because the generator is large and rarely needed. */
async function describe(platform: Platform): Promise<object> {
  const { describeApi } = await import("./openapi.ts")
  return describeApi(platform)
}

function policy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ")
}

function page(nonce: string, name: string): string {
  return `<!doctype html>
<html lang="pt-BR">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta property="csp-nonce" content="${nonce}">
    <link rel="icon" href="data:,">
    <title>Referência da API – ${escapeHtml(name)}</title>
  </head>
  <body>
    <div id="app"></div>
    <script nonce="${nonce}" src="${scriptPath}"></script>
    <script nonce="${nonce}">Scalar.createApiReference("#app", ${JSON.stringify(settings)})</script>
  </body>
</html>
`
}

/**
 * Four megabytes, rarely requested: loaded with the first request and kept compressed, through the package's own route.
 */
async function loadScript(): Promise<Buffer> {
  const { default: apiReference } = await import("@scalar/fastify-api-reference")
  const inner = Fastify()
  await inner.register(apiReference, { routePrefix: "/docs", configuration: { url: settings.url } })
  const { body } = await inner.inject("/docs/js/scalar.js")
  await inner.close()
  return promisify(gzip)(body, { level: 6 })
}
