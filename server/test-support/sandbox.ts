import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Cents, centsFromReais } from "@tilinta/contract/vocabulary/money"
import { startSimulator } from "@tilinta/simulator/start-simulator"
import { ensurePspConnection } from "#bank/psp-inbox/connection"
import type { ReportsDb } from "#db/transaction"
import { systemClock } from "#kit/clock"
import { newId } from "#kit/ids"
import { createLog } from "#kit/log"
import type { Protection } from "#kit/request-scope"
import type { PayerTokens } from "#kit/secrets"
import { connectSimulator } from "#psp/connect-psp"
import type { PaymentReceived, Psp } from "#psp/psp"
import { createChargePage } from "#selling/charge-pages/create"
import type { ChargePage } from "#selling/charge-pages/rules"
import { type ChargeSteps, createChargeSteps } from "#selling/charges/open"
import { openPayerTokens } from "#selling/charges/payer-data"
import { createPaymentStatuses, type PaymentStatuses } from "#selling/charges/statuses"
import { createTestDatabase, type TestDatabase } from "./test-database.ts"

const log = createLog("silent")

export interface Sandbox extends TestDatabase {
  protection: Protection
  reportsDb: ReportsDb
  chargeSteps: ChargeSteps
  paymentStatuses: PaymentStatuses
  psp: Psp
  clock: typeof systemClock
  log: typeof log
  simulatorUrl: string
  receiverKey: string
  payerTokens: PayerTokens
  payersUrl: string
  /** Sets the simulator's fault switches. */
  control(switches: object): Promise<void>
  /** Moves the simulator's clock forward. */
  passAtBank(ms: number): Promise<void>
  /** Pays a code as the payer's bank. */
  pay(pixCode: string): Promise<{ status: number; body: Record<string, string> }>
  close(): Promise<void>
}

/** A database and a simulated bank of its own, connected over HTTP. */
export async function openSandbox(): Promise<Sandbox> {
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), "tilinta-bank-"))
  const simulator = await startSimulator({ port: 0, dataDir, clientId: "test", clientSecret: "test" })
  const psp = connectSimulator(
    // No pauses: tests move the clock of the jobs, and a real pause would never end.
    { url: simulator.url, clientId: "test", clientSecret: "test", receiverKey: simulator.receiverKey, pausesMs: [0] },
    log,
  )
  await ensurePspConnection({ db: database.db, clock: systemClock }, psp.name)
  const send = (method: string, path: string, body: object) =>
    fetch(simulator.url + path, {
      method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    })
  return {
    ...database,
    reportsDb: database.db,
    chargeSteps: createChargeSteps(database.db),
    paymentStatuses: createPaymentStatuses(database.db),
    psp,
    clock: systemClock,
    protection: "relaxed",
    log,
    simulatorUrl: simulator.url,
    receiverKey: simulator.receiverKey,
    payerTokens: await openPayerTokens({ db: database.db, protection: "relaxed" }),
    payersUrl: "http://localhost:3000",
    async control(switches) {
      const answer = await send("PUT", "/simulador/api/controle", switches)
      if (!answer.ok) throw new Error(`the simulator refused its switches: ${await answer.text()}`)
    },
    async passAtBank(avancarMs) {
      const answer = await send("PUT", "/simulador/api/controle/relogio", { avancarMs })
      if (!answer.ok) throw new Error(`the simulator refused to move its clock: ${await answer.text()}`)
    },
    async pay(pixCode) {
      const answer = await send("POST", "/simulador/api/pagamentos", { pixCopiaECola: pixCode })
      return { status: answer.status, body: (await answer.json()) as Record<string, string> }
    },
    async close() {
      await simulator.stop()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export async function createSeller(sandbox: TestDatabase): Promise<string> {
  const id = newId()
  await sandbox.db
    .insertInto("users")
    .values({
      id,
      name: "Ana Souza",
      email: `${id}@exemplo.com`,
      email_key: `${id}@exemplo.com`,
      password_hash: "none",
      cpf: "",
      phone: "",
      address: "{}",
      role: "user",
    })
    .execute()
  return id
}

export async function createAdmin(sandbox: TestDatabase): Promise<string> {
  const id = await createSeller(sandbox)
  await sandbox.db.updateTable("users").set({ role: "admin" }).where("id", "=", id).execute()
  return id
}

interface PageWishes {
  sellerId: string
  title?: string
  reais?: number
  maxPayments?: number | null
  allowAnonymous?: boolean
}

export async function createPage(
  sandbox: Pick<Sandbox, "db" | "clock">,
  { sellerId, ...wishes }: PageWishes,
): Promise<ChargePage> {
  return createChargePage(
    { ...sandbox, protection: "relaxed" },
    {
      sellerId,
      title: wishes.title ?? "Mentoria de Vendas",
      slug: "mentoria-de-vendas",
      description: "",
      amountCents: centsFromReais(wishes.reais ?? 100),
      payerData: { allowAnonymous: wishes.allowAnonymous ?? true },
      expiresInHours: 24,
      maxPayments: wishes.maxPayments === undefined ? 1 : wishes.maxPayments,
      idempotencyKey: null,
    },
  )
}

let receipts = 0

/** A receipt as a provider would report it. */
export function receiptOf(txid: string | null, amountCents: number): PaymentReceived {
  receipts += 1
  return {
    provider: "simulator",
    endToEndId: `E00000000202611211400${String(receipts).padStart(11, "0")}`,
    txid,
    amountCents: amountCents as Cents,
    paidAt: new Date(),
    refunds: [],
  }
}
