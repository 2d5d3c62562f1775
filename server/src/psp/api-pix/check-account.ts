import { decodeBrCode } from "@tilinta/brcode/decode"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { saoPauloDay, secondsAfter } from "#kit/clock"
import { newDueTxid, randomAlphanumeric } from "#kit/ids"
import { openBankConnections, sendBounded } from "#psp/bounded-http"
import { createCharge, removeCharge } from "./api-pix-charges.ts"
import { dueChargesOf } from "./api-pix-due-charges.ts"
import { type ApiPixClient, createApiPixClient } from "./api-pix-http-client.ts"
import type { ApiPixOptions } from "./api-pix-psp.ts"
import { tokenSchema } from "./api-pix-schemas.ts"
import { automaticFindings } from "./check-automatic.ts"
import { callFinding, type Finding, finding, Problem, problemOfLine, webhookFinding } from "./findings.ts"
import { pageQuery } from "./list-pages.ts"
import { missingScopes, scopesOf } from "./profile.ts"
import { tokenRequest } from "./token.ts"

/** Things that may be made at the bank, and are removed again. */
export interface Trials {
  /** Allows creating and removing a charge of one centavo. */
  createsCharge: boolean
  /** Allows creating and cancelling a recurrence that nobody can authorise in time. */
  createsRecurrence: boolean
}

interface CheckAccountOptions extends Trials {
  /** The webhook address up to the secret. */
  webhookPrefix: string
}

const DAY_MS = 86_400_000
const SOON_DAYS = 30
const MOST_SKEW_SECONDS = 30

/** Tries every harmless call in turn, with advice for those that fail. */
export async function* checkAccount(options: ApiPixOptions, checks: CheckAccountOptions): AsyncGenerator<Finding> {
  yield certificateFinding(options)
  yield* connectionFindings(options)
  const token = await tokenFindings(options)
  yield* token
  if (token.some(({ what, works }) => what === "Token" && !works)) return

  const client = createApiPixClient(options)
  const day = { from: secondsAfter(new Date(), -86_400), to: new Date() }
  const { listsCharges, dueCharges, payouts, label } = options.profile
  const lists = [
    ...(listsCharges ? [["Cobranças", "/cob"]] : []),
    ...(listsCharges && dueCharges ? [["Cobranças com vencimento", "/cobv"]] : []),
  ]
  for (const [what, path] of lists) {
    yield await callFinding(`${what} (GET ${path})`, () =>
      client.request("GET", `${path}?${pageQuery(day, { page: 0 })}`),
    )
  }
  yield await callFinding("Pix recebidos (GET /pix)", () =>
    client.request("GET", `/pix?${pageQuery(day, { page: 0 })}`),
  )
  yield await unknownChargeFinding(client)
  const webhook = `/webhook/${encodeURIComponent(options.receiver.key)}`
  yield await webhookFinding(client, "Webhook", webhook, checks.webhookPrefix)
  if (checks.createsCharge) yield await newChargeFinding(client, options)
  if (checks.createsCharge && dueCharges) yield await newDueChargeFinding(client, options)
  if (options.debitAccount !== null) yield* automaticFindings(client, options, checks)
  const sent = payouts === null ? "pagos manualmente por quem administra" : "enviados sozinhos pela API"
  yield { works: true, what: "Saques por Pix", found: `no ${label}, ${sent}.` }
}

function certificateFinding({ certificate }: ApiPixOptions): Finding {
  const what = "Certificado"
  if (certificate === null) return { works: true, what, found: "nenhum, e aqui nenhum é preciso." }
  const days = Math.floor((certificate.endsAt.getTime() - Date.now()) / DAY_MS)
  const found = `legível, com a sua chave, válido até ${dayFormat.format(certificate.endsAt)} (${days} dias).`
  return days < SOON_DAYS ? { works: true, what, found, advice: "Renove-o já no banco." } : { works: true, what, found }
}

const dayFormat = new Intl.DateTimeFormat("pt-BR", { timeZone: "America/Sao_Paulo" })

/** Any answer proves that the connection and both certificates work. */
async function* connectionFindings(options: ApiPixOptions): AsyncGenerator<Finding> {
  const connections = openBankConnections(options)
  for (const origin of new Set([options.tokenUrl, options.baseUrl].map((url) => new URL(url).origin))) {
    const what = `Conexão com ${new URL(origin).host}`
    try {
      const request = { url: `${origin}/`, method: "GET", headers: {}, timeoutMs: options.timeoutMs, connections }
      const { date } = await sendBounded(request)
      yield { works: true, what, found: "nome, rede e TLS em ordem." }
      if (date !== null) yield clockFinding(date)
    } catch (error) {
      yield { works: false, what, ...problemOfLine(error) }
    }
  }
}

function clockFinding(date: Date): Finding {
  const seconds = Math.round((Date.now() - date.getTime()) / 1000)
  const what = "Relógio"
  if (Math.abs(seconds) <= MOST_SKEW_SECONDS) return { works: true, what, found: `${seconds} s do relógio do banco.` }
  return {
    works: false,
    what,
    found: `${seconds} s do relógio do banco.`,
    advice: "Acerte o relógio desta máquina (NTP).",
  }
}

async function tokenFindings(options: ApiPixOptions): Promise<Finding[]> {
  const { givenToken, tokenUrl, profile, timeoutMs } = options
  const what = "Token"
  if (givenToken !== null) return [{ works: true, what, found: "o do portal, que só as próximas linhas provam." }]
  const advice = "Confira PIX_CLIENT_ID, PIX_CLIENT_SECRET e PIX_ENVIRONMENT, e se a aplicação está ativa no banco."
  const needed = scopesOf(profile)
  let granted: string | null = null
  const token = await finding(what, advice, async () => {
    const request = tokenRequest(tokenUrl, profile.token, { ...options, scopes: needed })
    const answer = await sendBounded({ ...request, timeoutMs, connections: openBankConnections(options) })
    const parsed = tokenSchema.safeParse(answer.body)
    if (answer.status > 201 || !parsed.success) return answer
    granted = parsed.data.scope ?? null
    return `concedido por ${parsed.data.expires_in} s.`
  })
  return token.works ? [token, scopeFinding(granted, needed)] : [token]
}

function scopeFinding(granted: string | null, needed: readonly string[]): Finding {
  const what = "Escopos"
  if (!granted) return { works: true, what, found: "o banco não diz quais concedeu." }
  const missing = missingScopes(granted, needed)
  if (missing.length === 0) return { works: true, what, found: "todos os que são precisos." }
  return {
    works: false,
    what,
    found: `faltam ${missing.join(", ")}.`,
    advice: "Peça-os na aplicação, no portal do banco.",
  }
}

function unknownChargeFinding(client: ApiPixClient): Promise<Finding> {
  const advice = "Sem um 404 não se sabe o que não existe: pergunte ao banco."
  return finding("Cobrança que não existe", advice, async () => {
    const answer = await client.request("GET", `/cob/${randomAlphanumeric(32)}`)
    return answer.status === 404 ? "o banco responde 404, como deve." : answer
  })
}

function newChargeFinding(client: ApiPixClient, { receiver, profile }: ApiPixOptions): Promise<Finding> {
  const advice = "Confira PIX_KEY: deve ser uma chave da conta desta aplicação."
  return finding("Cobrança de R$ 0,01", advice, async () => {
    const txid = randomAlphanumeric(32)
    const charge = { txid, amountCents: 1 as Cents, expiresInSeconds: 300, description: "Teste" }
    const { pixCode } = await createCharge(client, receiver, charge)
    const decoded = decodeBrCode(pixCode)
    if (!decoded.valid) throw new Problem(`o código Pix não é válido: ${decoded.error}`)
    const removed = await removeCharge(client, profile.revisionPath, txid)
    if (removed !== "removed") throw new Problem(`criada, mas não removida (${removed})`)
    const odd = decoded.code.lint.some((lint) => /^(name|city|text|byte)-/.test(lint)) ? " (textos fora do manual)" : ""
    const { hours } = client.stamps.offset
    const stamps =
      hours === 0 ? "" : ` O banco escreve os horários com ${Math.abs(hours)} h de diferença, que serão corrigidas.`
    return `criada, com um código Pix válido de ${decoded.code.merchantName}${odd}, e removida.${stamps}`
  })
}

/** A debtor whom nobody is: each of the digits is right. */
const nobody = { name: "Teste da plataforma", document: "52998224725", address: {} }

function newDueChargeFinding(client: ApiPixClient, { receiver, profile }: ApiPixOptions): Promise<Finding> {
  const advice = "Confira se o banco contratou cobranças com vencimento (cobv), e os escopos cobv.read e cobv.write."
  return finding("Cobrança com vencimento", advice, async () => {
    const txid = newDueTxid(new Date())
    const tomorrow = saoPauloDay(secondsAfter(new Date(), DAY_MS / 1000))
    const terms = { amountCents: 100 as Cents, dueDay: tomorrow, daysAfterDue: 0 }
    const request = { txid, terms, debtor: nobody, description: "Teste" }
    const { pixCode } = await dueChargesOf(client, receiver).create(request)
    if (!decodeBrCode(pixCode).valid) throw new Problem("o código Pix não é válido")
    const removed = await removeCharge(client, profile.revisionPath, txid)
    if (removed !== "removed") throw new Problem(`criada, mas não removida (${removed})`)
    return "criada, com um código Pix válido, e removida."
  })
}
