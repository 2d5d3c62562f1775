import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import fastifyStatic from "@fastify/static"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import type { Db } from "#db/transaction"
import { readPlatform } from "#domain/platform/settings/read-platform"
import { escapeHtml } from "#kit/escape-html"
import { StartError } from "#kit/start-error"
import { compressReply } from "./compress-reply.ts"
import { appPolicy } from "./content-security-policy.ts"

/** Paths that are screens; the app itself decides what it shows there. */
const screens = [
  ...["/", "/login", "/register", "/forgot-password", "/reset-password/:token", "/new-email/:token"],
  ...["/payment/success", "/payment/error"],
  ...[
    "/dashboard",
    "/checkouts",
    "/checkouts/create",
    "/checkouts/:id",
    "/transactions",
    "/withdrawals",
    "/statement",
    "/developers",
    "/notices",
    "/profile",
  ],
  ...[
    "/admin",
    "/admin/users",
    "/admin/transactions",
    "/admin/unmatched-payments",
    "/admin/disputes",
    "/admin/withdrawals",
    "/admin/approvals",
    "/admin/page-reports",
  ],
  ...["/admin/daily-closes", "/admin/accounts", "/admin/journal"],
  ...["/admin/checkout-pages", "/admin/reports", "/admin/audit", "/admin/system", "/admin/settings"],
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

/** Serves the built app. Returns the handler for other paths: the same page, which then shows 'not found'. */
export async function serveApp(app: FastifyInstance, deps: Deps): Promise<SendPage> {
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

  const sendShell: SendPage = async (request, reply) => {
    const body = await compressReply(request, reply, await currentShell())
    return reply
      .headers({ "content-security-policy": policy, "cache-control": "no-cache" })
      .type("text/html; charset=utf-8")
      .send(body)
  }

  for (const screen of screens) app.get(screen, sendShell)
  return (request, reply) => sendShell(request, reply.code(404))
}

/** Serves exactly the built files. A route for each file of assets/ would be a fifth of the start. */
async function serveFiles(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(fastifyStatic, { root: folder, serve: false, preCompressed: true, cacheControl: false })
  const method = ["GET", "HEAD"]

  for (const name of await listFiles(folder)) {
    const send = (_: FastifyRequest, reply: FastifyReply) => reply.header("cache-control", "no-cache").sendFile(name)
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
