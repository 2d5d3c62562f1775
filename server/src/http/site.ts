import { readFile } from "node:fs/promises"
import { join } from "node:path"
import fastifyStatic from "@fastify/static"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import type { Db } from "#db/transaction"
import { readPlatform } from "#domain/settings/read-platform"
import { escapeHtml } from "#kit/escape-html"
import { StartError } from "#kit/start-error"
import { compressReply } from "./compress-reply.ts"
import { appPolicy } from "./content-security-policy.ts"

/** The app decides by itself what it shows; these are the paths where that is a screen. */
const screens = [
  ...["/", "/login", "/register", "/forgot-password", "/reset-password/:token"],
  ...["/payment/success", "/payment/error"],
  ...["/dashboard", "/checkouts", "/checkouts/create", "/checkouts/:id", "/transactions", "/withdrawals", "/profile"],
  ...[
    "/admin",
    "/admin/users",
    "/admin/transactions",
    "/admin/unmatched-payments",
    "/admin/disputes",
    "/admin/withdrawals",
  ],
  "/admin/daily-closes",
  ...["/admin/checkout-pages", "/admin/reports", "/admin/audit", "/admin/system", "/admin/settings"],
]

/** What the build wrote where the platform's name goes: in the title, and where the app reads it. */
const builtNames = [/<title>[^<]*<\/title>/, /data-platform="[^"]*"/] as const

interface Deps {
  db: Db
  /** The built pages: web/dist. */
  siteFolder: string
}

export type SendPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Serves the built app. Answers the handler for other paths: the same page, which then says that there is none. */
export async function serveApp(app: FastifyInstance, { db, siteFolder }: Deps): Promise<SendPage> {
  const folder = join(siteFolder, "app")
  const shell = await readShell(folder)
  const policy = appPolicy(shell)
  let named = shell

  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    globIgnore: ["index.html", "**/*.br", "**/*.gz"],
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      reply.header("cache-control", isHashed(path) ? "public, max-age=31536000, immutable" : "no-cache")
    },
  })

  // With the database away the app still opens, under the name it had, and says by itself what doesn't work.
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

async function readShell(folder: string): Promise<string> {
  try {
    return await readFile(join(folder, "index.html"), "utf8")
  } catch (error) {
    throw new StartError("As páginas não foram preparadas (web/dist): rode npm run build.", { cause: error })
  }
}

function withName(shell: string, name: string): string {
  const [title, attribute] = builtNames
  const text = escapeHtml(name)
  return shell.replace(title, () => `<title>${text}</title>`).replace(attribute, () => `data-platform="${text}"`)
}

/** The build puts a hash of the content into the names of what lies in assets/. */
function isHashed(path: string): boolean {
  return /[/\\]assets[/\\]/.test(path)
}
