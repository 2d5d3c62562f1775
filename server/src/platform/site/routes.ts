import { randomBytes } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { gunzip, gzip } from "node:zlib"
import fastifyStatic from "@fastify/static"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import Fastify from "fastify"
import type { Db } from "#db/transaction"
import { acceptedEncoding, compressReply } from "#http/create-server"
import type { Platform } from "#http/openapi"
import { appPolicy, workerPolicy } from "#http/security-headers"
import { StartError } from "#kit/errors"
import { escapeHtml } from "#kit/html"
import { readPlatform } from "#platform/settings/reads"
import type { HttpDeps } from "#start/deps"

/** Paths that are screens; the app itself decides what it shows there. */
const screens = [
  "/",
  "/login",
  "/register",
  "/forgot-password",
  "/reset-password/:token",
  "/new-email/:token",
  "/convite/:token",
  "/dashboard",
  "/checkouts",
  "/checkouts/create",
  "/checkouts/:id",
  "/customers",
  "/customers/:id",
  "/counter",
  "/tela",
  "/receivables",
  "/receivables/:form",
  "/subscriptions",
  "/subscriptions/:id",
  "/transactions",
  "/withdrawals",
  "/statement",
  "/shop",
  "/team",
  "/developers",
  "/developers/webhooks",
  "/developers/events",
  "/developers/return",
  "/notices",
  "/notices/security",
  "/profile",
  "/profile/security",
  "/profile/privacy",
  "/admin",
  "/admin/users",
  "/admin/transactions",
  "/admin/unmatched-payments",
  "/admin/disputes",
  "/admin/withdrawals",
  "/admin/approvals",
  "/admin/page-reports",
  "/admin/daily-closes",
  "/admin/accounts",
  "/admin/journal",
  "/admin/withdrawals/batch",
  "/admin/checkout-pages",
  "/admin/invoices",
  "/admin/reports",
  "/admin/audit",
  "/admin/system",
  "/admin/settings",
]

/** Places in the built page where the platform's name goes: the title, and the attribute that the app reads. */
const builtNames = [/<title>[^<]*<\/title>/, /data-platform="[^"]*"/] as const

/** The build puts a content hash into the names of files in assets/. */
const forAYear = "public, max-age=31536000, immutable"

interface Deps {
  db: Db
  /** The built pages: web/dist. */
  siteFolder: string
  publicUrl: string
  payersUrl: string
}

export type SendPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Serves the built app. Returns the handlers for paths that are a screen only at times, and for all others, where the app shows 'not found'. */
export async function serveApp(
  app: FastifyInstance,
  deps: Deps,
): Promise<{ sendApp: SendPage; sendNotFoundPage: SendPage }> {
  const { db, siteFolder } = deps
  const folder = join(siteFolder, "app")
  const shell = withPayersUrl(await readShell(folder), deps)
  const policy = appPolicy(shell)
  let named = shell

  await serveFiles(app, folder)

  // Without the database the app still opens, under its last known name, and reports by itself what doesn't work.
  async function currentShell(): Promise<string> {
    const platform = await readPlatform(db).catch(() => null)
    if (platform !== null) named = withName(shell, platform.name)
    return named
  }

  const sendApp: SendPage = async (request, reply) => {
    const body = await compressReply(request, reply, await currentShell())
    return reply
      .headers({ "content-security-policy": policy, "cache-control": "no-cache" })
      .type("text/html; charset=utf-8")
      .send(body)
  }

  for (const screen of screens) app.get(screen, sendApp)
  app.get("/manifest.webmanifest", async (_request, reply) => {
    const { name } = await readPlatform(db)
    return reply.header("cache-control", "no-cache").type("application/manifest+json").send(manifestOf(name))
  })
  return { sendApp, sendNotFoundPage: (request, reply) => sendApp(request, reply.code(404)) }
}

function manifestOf(name: string): object {
  const icon = (file: string, sizes: string, purpose = "any") => ({
    src: `/${file}.png`,
    sizes,
    purpose,
    type: "image/png",
  })
  return {
    ...{ id: "/", name, short_name: name, lang: "pt-BR", start_url: "/dashboard", scope: "/", display: "standalone" },
    ...{ background_color: "#091114", theme_color: "#091114" },
    icons: [icon("icon-192", "192x192"), icon("icon-512", "512x512"), icon("icon-maskable", "512x512", "maskable")],
    shortcuts: [{ name: "Nova cobrança", url: "/checkouts/create" }],
  }
}

/** Serves exactly the built files. A route for each file of assets/ would be a fifth of the start. */
async function serveFiles(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(fastifyStatic, { root: folder, serve: false, preCompressed: true, cacheControl: false })
  const method = ["GET", "HEAD"]

  for (const name of await listFiles(folder)) {
    const headers = {
      "cache-control": "no-cache",
      ...(name === "sw.js" && { "content-security-policy": workerPolicy }),
    }
    const send = (_: FastifyRequest, reply: FastifyReply) => reply.headers(headers).sendFile(name)
    app.route({ method, url: `/${name}`, handler: send })
  }

  const assets = new Set(await listFiles(join(folder, "assets")))
  app.route<{ Params: { name: string } }>({
    method,
    url: "/assets/:name",
    handler: ({ params: { name } }, reply) =>
      assets.has(name) ? reply.header("cache-control", forAYear).sendFile(`assets/${name}`) : reply.callNotFound(),
  })
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  return names.filter((name) => name !== "index.html" && !/\.(?:br|gz)$/.test(name))
}

async function readShell(folder: string): Promise<string> {
  try {
    return await readFile(join(folder, "index.html"), "utf8")
  } catch (error) {
    throw new StartError("As páginas não foram preparadas (web/dist): rode npm run build.", { cause: error })
  }
}

/** The app makes links for payers from its own address, unless they have a host of their own. */
function withPayersUrl(shell: string, { publicUrl, payersUrl }: Deps): string {
  if (payersUrl === publicUrl) return shell
  return shell.replace(/data-payers="[^"]*"/, () => `data-payers="${escapeHtml(payersUrl)}"`)
}

function withName(shell: string, name: string): string {
  const [title, attribute] = builtNames
  const text = escapeHtml(name)
  return shell.replace(title, () => `<title>${text}</title>`).replace(attribute, () => `data-platform="${text}"`)
}

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
  const { describeApi } = await import("#http/openapi")
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
