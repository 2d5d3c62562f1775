import type { FastifyInstance, FastifyReply } from "fastify"
import type { Db } from "#db/transaction"
import { confirmEmail, isConfirmationLink } from "#domain/people/users/confirm-email"
import { readPlatform } from "#domain/platform/settings/read-platform"
import type { Clock } from "#kit/clock"
import { limitCallers } from "./limit-callers.ts"
import { sendPlainPage } from "./plain-page.ts"

interface Deps {
  db: Db
  clock: Clock
}

const path = "/confirm-email/:token"

/** The link of the mail that asks for confirmation. Only the button acts, as mail programs look into links. */
export function confirmEmailRoutes(scope: FastifyInstance, deps: Deps): void {
  limitCallers(scope, deps)
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser("*", { parseAs: "string", bodyLimit: 4_096 }, (_request, _body, done) => done(null))

  scope.get<{ Params: { token: string } }>(path, async ({ params: { token } }, reply) =>
    send(reply, (await isConfirmationLink(deps, token)) ? "asks" : "unknown"),
  )

  scope.post<{ Params: { token: string } }>(path, async ({ params: { token }, ip }, reply) =>
    send(reply, (await confirmEmail(deps, { token, address: ip })) ? "confirmed" : "unknown"),
  )

  async function send(reply: FastifyReply, state: keyof typeof words): Promise<FastifyReply> {
    const { name: platformName } = await readPlatform(deps.db)
    return sendPlainPage(reply, { platformName, ...words[state] })
  }
}

const words = {
  asks: {
    title: "Confirmar o seu e-mail?",
    text: "Confirme só se foi você que criou a conta. Depois disso as páginas de cobrança dela ficam abertas aos pagadores.",
    below: '<form method="post"><button type="submit">Confirmar e-mail</button></form>',
    status: 200,
  },
  confirmed: {
    title: "E-mail confirmado",
    text: "As páginas de cobrança da sua conta estão abertas aos pagadores.",
    below: '<a class="link" href="/dashboard">Abrir a minha conta</a>',
    status: 200,
  },
  unknown: {
    title: "Este link não vale mais",
    text: "Entre na sua conta e peça outro link no aviso do topo da tela.",
    below: '<a class="link" href="/login">Entrar na minha conta</a>',
    status: 404,
  },
} as const
