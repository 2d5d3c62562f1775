import { readFile } from "node:fs/promises"
import { join } from "node:path"
import fastifyStatic from "@fastify/static"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { StartError } from "#kit/start-error"
import { acceptedEncoding } from "./compress-reply.ts"
import { appPolicy } from "./content-security-policy.ts"

/** The app decides by itself what it shows; these are the paths where that is a screen. */
const screens = [
  ...["/", "/login", "/register", "/forgot-password", "/reset-password/:token"],
  ...["/payment/success", "/payment/error"],
  ...["/dashboard", "/checkouts", "/checkouts/create", "/checkouts/:id", "/transactions", "/withdrawals", "/profile"],
  ...["/admin", "/admin/users", "/admin/transactions", "/admin/unmatched-payments", "/admin/withdrawals"],
  ...["/admin/reports", "/admin/settings"],
]

type Shell = Record<"plain" | "br" | "gzip", Buffer>

/** Serves the built app. Answers the handler for other paths: the same page, which then says that there is none. */
export async function serveApp(
  app: FastifyInstance,
  siteFolder: string,
): Promise<(request: FastifyRequest, reply: FastifyReply) => void> {
  const folder = join(siteFolder, "app")
  const shell = await readShell(folder)
  const policy = appPolicy(shell.plain.toString())

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

  function sendShell(request: FastifyRequest, reply: FastifyReply): void {
    const encoding = acceptedEncoding(request)
    reply
      .headers({ "content-security-policy": policy, "cache-control": "no-cache", vary: "accept-encoding" })
      .type("text/html; charset=utf-8")
    if (encoding !== null) reply.header("content-encoding", encoding)
    reply.send(shell[encoding ?? "plain"])
  }

  for (const screen of screens) app.get(screen, async (request, reply) => (sendShell(request, reply), reply))
  return (request, reply) => sendShell(request, reply.code(404))
}

async function readShell(folder: string): Promise<Shell> {
  try {
    const [plain, br, gzip] = await Promise.all(
      ["index.html", "index.html.br", "index.html.gz"].map((name) => readFile(join(folder, name))),
    )
    return { plain, br, gzip } as Shell
  } catch (error) {
    throw new StartError("As páginas não foram preparadas (web/dist): rode npm run build.", { cause: error })
  }
}

/** The build puts a hash of the content into the names of what lies in assets/. */
function isHashed(path: string): boolean {
  return /[/\\]assets[/\\]/.test(path)
}
