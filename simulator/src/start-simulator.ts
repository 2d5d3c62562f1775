import { randomUUID } from "node:crypto"
import type { AddressInfo } from "node:net"
import type { FastifyInstance, FastifyReply } from "fastify"
import Fastify from "fastify"
import { z } from "zod"
import { apiScope, secondVersion, thirdVersion } from "./api-scope.ts"
import { openAutomaticBooks } from "./automatic-books.ts"
import type { Account, Bank } from "./bank.ts"
import { bankPage, bankRoutes } from "./bank-routes.ts"
import { type Books, openBooks } from "./books.ts"
import { openChargeBook, openPaymentBook } from "./charge-books.ts"
import { openDueChargeBook } from "./due-charge-books.ts"
import { openFaultRules, openFaults } from "./faults.ts"
import { areNetworks, listOfNetworks, openTo } from "./open-to.ts"
import { openPayoutBook, openSettingsBook, openWebhookBook, type SettingsBook } from "./payout-books.ts"
import { openDisputeBook, openRefundBook } from "./refund-books.ts"
import { tokenRoutes } from "./token-routes.ts"
import { createTokens, openBankClock } from "./tokens.ts"
import { createWebhookDelivery } from "./webhook-delivery.ts"

export type SimulatorOptions = {
  host?: string
  /** 0 takes a free port. */
  port: number
  dataDir: string
  clientId: string
  clientSecret: string
  /** Base of the locations in Pix codes, without path: http://host:port by default. */
  publicUrl?: string | undefined
  /** The account's Pix key; by default a random one that the books keep. */
  receiverKey?: string | undefined
  /** Networks that may use the faults, next to this machine. */
  openTo?: readonly string[]
  merchantName?: string
  merchantCity?: string
  /** Clock in milliseconds, this machine's by default; only dates in the books follow it. */
  now?: () => number
  /** `false` trades durability for speed: for books that are written in one go and thrown away if that fails. */
  isDurable?: boolean
  log?: (line: string) => void
}

export type RunningSimulator = { url: string; port: number; receiverKey: string; stop(): Promise<void> }

const graceMs = 500
const longestLocation = 77
const locationPathLength = "/qr/v2/".length + 32

export async function startSimulator(options: SimulatorOptions): Promise<RunningSimulator> {
  const { host = "127.0.0.1", log = () => undefined } = options
  const books = openBooks(options.dataDir, { isDurable: options.isDurable ?? true })
  const stopping = new AbortController()
  // The bank opens before the port is known, but the default location of codes contains the port.
  const { bank, settings } = openBank(books, options, log)
  const app = buildApp(bank, options, log, stopping.signal)
  try {
    await app.listen({ host, port: options.port })
    const { port } = app.server.address() as AddressInfo
    const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}`
    settings.store("receiverKey", bank.account.receiverKey)
    bank.account.locationBase = locationBaseOf(options.publicUrl ?? url)
    bank.delivery.wake()
    let stopped: Promise<void> | undefined
    return { url, port, receiverKey: bank.account.receiverKey, stop: () => (stopped ??= stop(app, bank, stopping)) }
  } catch (error) {
    await stop(app, bank, stopping)
    throw error
  }
}

async function stop(app: FastifyInstance, bank: Bank, stopping: AbortController): Promise<void> {
  stopping.abort()
  const impatience = setTimeout(() => app.server.closeAllConnections(), graceMs)
  await Promise.all([app.close(), bank.delivery.stop()])
  clearTimeout(impatience)
  bank.books.close()
}

function openBank(books: Books, options: SimulatorOptions, log: (line: string) => void) {
  const settings = openSettingsBook(books.db)
  const webhooks = openWebhookBook(books.db)
  const clock = openBankClock(settings, options.now)
  const account: Account = {
    receiverKey: receiverKeyOf(options, settings),
    merchantName: options.merchantName ?? "TILINTA SANDBOX",
    merchantCity: options.merchantCity ?? "SAO PAULO",
    locationBase: "",
  }
  const bank: Bank = {
    account,
    books,
    clock,
    charges: openChargeBook(books.db),
    dueCharges: openDueChargeBook(books.db),
    payments: openPaymentBook(books.db),
    payouts: openPayoutBook(books.db),
    refunds: openRefundBook(books.db),
    disputes: openDisputeBook(books.db),
    automatic: openAutomaticBooks(books.db, settings),
    webhooks,
    faults: openFaults(settings),
    faultRules: openFaultRules(settings),
    delivery: createWebhookDelivery({ books, clock, webhooks, log }),
  }
  return { bank, settings }
}

function receiverKeyOf(options: SimulatorOptions, settings: SettingsBook): string {
  return options.receiverKey ?? settings.find("receiverKey") ?? randomUUID()
}

function locationBaseOf(publicUrl: string): string {
  const base = publicUrl.replace(/^https?:\/\//, "").replace(/(?<!\/)\/+$/, "")
  const longestBase = longestLocation - locationPathLength
  if (base === "" || base.length > longestBase) {
    throw new Error(`publicUrl: o endereço nos códigos Pix tem de 1 a ${longestBase} caracteres; "${base}" não serve.`)
  }
  return base
}

function buildApp(
  bank: Bank,
  { clientId, clientSecret, now, ...options }: SimulatorOptions,
  log: (line: string) => void,
  stopping: AbortSignal,
): FastifyInstance {
  const app = Fastify({
    forceCloseConnections: "idle",
    bodyLimit: 64 * 1024,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    frameworkErrors: (_error, _request, reply) => refuseAddress(reply),
  })
  // A bank's Date header tells its own clock, also while a test has moved it.
  app.addHook("onSend", async (_request, reply) => {
    reply.header("date", new Date(bank.clock.now()).toUTCString())
  })
  app.setNotFoundHandler((_request, reply) => refuseAddress(reply))
  const tokens = createTokens(now === undefined ? bank.clock : { now: Date.now })
  app.register(tokenRoutes, { bank, tokens, credentials: { clientId, clientSecret }, stopping })
  const api = { bank, tokens, log, stopping }
  app.register(apiScope, { prefix: "/v2", ...api, routes: secondVersion })
  app.register(apiScope, { prefix: "/v3", ...api, routes: thirdVersion })
  const ownHosts = options.publicUrl === undefined ? [] : [new URL(options.publicUrl).hostname]
  const mayControl = openTo({ networks: options.openTo ?? [], ownHosts })
  app.register(bankRoutes, { prefix: "/simulador/api", bank, log, mayControl })
  app.register(bankPage, { prefix: "/simulador", mayControl })
  return app
}

function refuseAddress(reply: Pick<FastifyReply, "code">): FastifyReply {
  return reply.code(404).send({ message: "Este endereço não existe no banco simulado." })
}

/**
 * Fails loudly, because each route validates by itself: without a compiler Fastify would load ninety files to compile
 * schemas.
 */
function noSchemas(): never {
  throw new Error("no route of the simulator has a schema")
}

/** A fatal start-up error: one line that names the variable and never repeats its value. */
export class EnvironmentError extends Error {}

const isPort = (value: string) => /^\d{1,5}$/.test(value) && Number(value) <= 65_535

const variables = z.object({
  SIMULATOR_HOST: z.string().regex(/^\S+$/, "use um nome ou endereço sem espaços, como 127.0.0.1").default("127.0.0.1"),
  SIMULATOR_PORT: z.string().refine(isPort, "use um número de 0 a 65535 (0 escolhe uma porta livre)").default("4000"),
  SIMULATOR_DATA_DIR: z.string().default("./data/simulator"),
  SIMULATOR_CLIENT_ID: z
    .string()
    .regex(/^[^:]+$/, "use um texto sem dois-pontos")
    .default("tilinta"),
  SIMULATOR_CLIENT_SECRET: z.string().default("tilinta-sandbox"),
  SIMULATOR_PUBLIC_URL: z
    .string()
    .regex(/^https?:\/\/[!-~]{1,38}$/, "use um endereço http(s) com até 38 caracteres depois de ://")
    .optional(),
  SIMULATOR_OPEN_TO: z
    .string()
    .transform(listOfNetworks)
    .refine(areNetworks, "use endereços ou redes separados por vírgula, como 172.17.0.1,10.89.7.0/24")
    .default([]),
  SIMULATOR_RECEIVER_KEY: z
    .string()
    .regex(/^[!-~]{1,77}$/, "use uma chave Pix, de 1 a 77 caracteres")
    .optional(),
})

export function readEnvironment(env: NodeJS.ProcessEnv): SimulatorOptions {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""))
  const read = variables.safeParse(given)
  if (!read.success) {
    const [issue] = read.error.issues
    throw new EnvironmentError(`Variável de ambiente ${String(issue?.path[0])} inválida: ${issue?.message}.`)
  }
  return {
    host: read.data.SIMULATOR_HOST,
    port: Number(read.data.SIMULATOR_PORT),
    dataDir: read.data.SIMULATOR_DATA_DIR,
    clientId: read.data.SIMULATOR_CLIENT_ID,
    clientSecret: read.data.SIMULATOR_CLIENT_SECRET,
    publicUrl: read.data.SIMULATOR_PUBLIC_URL,
    openTo: read.data.SIMULATOR_OPEN_TO,
    receiverKey: read.data.SIMULATOR_RECEIVER_KEY,
  }
}
