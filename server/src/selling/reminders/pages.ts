import type { FastifyInstance, FastifyReply } from "fastify"
import type { Db } from "#db/transaction"
import { sendPlainPage } from "#http/notice-page"
import { limitCallers } from "#http/rate-limits"
import type { Clock } from "#kit/clock"
import { readReceiver } from "#people/shops/reads"
import { readPlatform } from "#platform/settings/reads"
import { changeOwnReminders } from "#selling/customers/own-reminders"
import { findCustomerOfMails } from "#selling/customers/reads"
import { endRemindersPath } from "./send.ts"

type State = "asks" | "ended" | "resumed" | "unknown"

/**
 * The link of reminders. Only a POST acts, so that a mail program that looks into links changes nothing; it comes from the
 * page's button, or from the mail program itself (RFC 8058), which sends no cookie and no origin.
 */
export function endRemindersRoutes(scope: FastifyInstance, deps: { db: Db; clock: Clock }): void {
  const { db } = deps
  limitCallers(scope, deps)
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser("*", { parseAs: "string", bodyLimit: 4_096 }, (_request, _body, done) => done(null))

  scope.get<{ Params: { token: string } }>(endRemindersPath, async ({ params: { token } }, reply) => {
    const customer = await findCustomerOfMails(db, token)
    if (customer === null) return send(reply, token, "unknown")
    return send(reply, token, customer.remindersEndedAt === null ? "asks" : "ended")
  })

  scope.post<{ Params: { token: string } }>(endRemindersPath, async ({ params: { token }, ip }, reply) => {
    const isKnown = await changeOwnReminders(deps, { mailToken: token, wants: false, address: ip })
    return send(reply, token, isKnown ? "ended" : "unknown")
  })

  scope.post<{ Params: { token: string } }>(`${endRemindersPath}/resume`, async ({ params: { token }, ip }, reply) => {
    const isKnown = await changeOwnReminders(deps, { mailToken: token, wants: true, address: ip })
    return send(reply, token, isKnown ? "resumed" : "unknown")
  })

  async function send(reply: FastifyReply, token: string, state: State): Promise<FastifyReply> {
    const [{ name: platformName }, customer] = await Promise.all([readPlatform(db), findCustomerOfMails(db, token)])
    const shop = customer === null ? "" : (await readReceiver(db, { sellerId: customer.sellerId, paidAt: null })).name
    const words = wordsOf[state](shop, endRemindersPath.replace(":token", customer?.mailToken ?? ""))
    return sendPlainPage(reply, { platformName, ...words, status: state === "unknown" ? 404 : 200 })
  }
}

const button = (action: string, label: string) =>
  `<form method="post" action="${action}"><button type="submit">${label}</button></form>`

const wordsOf: Record<State, (shop: string, path: string) => { title: string; text: string; below: string }> = {
  asks: (shop, path) => ({
    title: "Não receber mais lembretes?",
    text: `Você deixa de receber lembretes de cobrança de ${shop} por e-mail. O que está em aberto continua em aberto.`,
    below: button(path, "Não me lembre"),
  }),
  ended: (shop, path) => ({
    title: "Pronto, não lembramos mais",
    text: `Você não recebe mais lembretes de cobrança de ${shop} por e-mail. O que está em aberto continua em aberto.`,
    below: button(`${path}/resume`, "Quero receber de novo"),
  }),
  resumed: (shop, path) => ({
    title: "Pronto, voltamos a lembrar",
    text: `Você recebe de novo os lembretes de cobrança de ${shop} por e-mail.`,
    below: button(path, "Não me lembre"),
  }),
  unknown: () => ({
    title: "Este link não vale mais",
    text: "Abra o link do e-mail mais recente.",
    below: "",
  }),
}
