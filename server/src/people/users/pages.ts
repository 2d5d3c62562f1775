import { randomBytes } from "node:crypto"
import type { FastifyInstance, FastifyReply } from "fastify"
import type { Db } from "#db/transaction"
import { noticePage, plainPageHeaders, sendPlainPage } from "#http/notice-page"
import { limitCallers } from "#http/rate-limits"
import type { Clock } from "#kit/clock"
import { unsubscribePath } from "#platform/mails/send-mails"
import { readPlatform } from "#platform/settings/reads"
import { confirmEmail, isConfirmationLink } from "./change-email.ts"
import { endPaymentMails, ownerOfMails } from "./update-profile.ts"

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

type State = Parameters<typeof unsubscribePage>[0]["state"]

/**
 * The link of the mails about payments. Only a POST acts, so that a mail program that looks into links changes nothing;
 * it comes from the page's button, or from the mail program itself (RFC 8058), which sends no cookie and no origin.
 */
export function unsubscribeRoutes(scope: FastifyInstance, deps: Deps): void {
  limitCallers(scope, deps)
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser("*", { parseAs: "string", bodyLimit: 4_096 }, (_request, _body, done) => done(null))

  scope.get<{ Params: { token: string } }>(unsubscribePath, async ({ params: { token } }, reply) => {
    const owner = await ownerOfMails(deps.db, token)
    return send(reply, owner === null ? "unknown" : owner.wants ? "asks" : "ended")
  })

  scope.post<{ Params: { token: string } }>(unsubscribePath, async ({ params: { token }, ip }, reply) => {
    const isKnown = await endPaymentMails(deps, { mailToken: token, address: ip })
    return send(reply, isKnown ? "ended" : "unknown")
  })

  async function send(reply: FastifyReply, state: State): Promise<FastifyReply> {
    const nonce = randomBytes(16).toString("base64")
    const html = unsubscribePage({ platformName: (await readPlatform(deps.db)).name, state, nonce })
    return reply
      .code(state === "unknown" ? 404 : 200)
      .headers(plainPageHeaders(nonce))
      .type("text/html; charset=utf-8")
      .send(html)
  }
}

interface Page {
  platformName: string
  state: "asks" | "ended" | "unknown"
  nonce: string
}

const unsubscribeWords = {
  asks: {
    title: "Parar os e-mails de pagamento?",
    text: "Você deixa de receber o aviso de cada pagamento e o resumo do dia. Os avisos sobre saques e segurança continuam.",
  },
  ended: {
    title: "Pronto, os e-mails de pagamento pararam",
    text: "Os avisos sobre saques e segurança continuam. Para voltar a receber, escolha em Meu Perfil.",
  },
  unknown: {
    title: "Este link não vale mais",
    text: "Abra o link do e-mail mais recente, ou escolha os seus e-mails em Meu Perfil.",
  },
} as const

/** Needs no script and no session. */
function unsubscribePage({ platformName, state, nonce }: Page): string {
  const { title, text } = unsubscribeWords[state]
  const form = '<form method="post"><button type="submit">Parar os e-mails</button></form>'
  const html = `<p>${text}</p>\n${state === "asks" ? form : '<p><a class="link" href="/profile">Abrir Meu Perfil</a></p>'}`
  return noticePage({ platformName, title, html, nonce })
}
