import { randomBytes } from "node:crypto"
import { chmod, stat, writeFile } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { addCents, type Cents, noMoney, reaisText } from "@tilinta/contract/vocabulary/money"
import { tryDatabase } from "#db/migrate"
import { messageOf } from "#db/route"
import type { Db } from "#db/transaction"
import { secondsAfter } from "#kit/clock"
import { StartError } from "#kit/errors"
import { createLog } from "#kit/log"
import { checkSmtp } from "#mail/smtp-mailer"
import { findBookedIds } from "#money/payments/reads"
import { findWithdrawalsOfPayouts } from "#money/withdrawals/operator-reads"
import type { Finding } from "#psp/api-pix/findings"
import { connectByName, connectSimulator } from "#psp/connect-psp"
import { type Psp, PspError, type PspWindow } from "#psp/psp"
import { type Env, readEnv } from "#start/env"
import { withOwnSimulator } from "#start/shared-parts"
import { requireMail } from "#start/start-warnings"
import { findingsAtBank, printFindings } from "./examine.ts"

type Answers = Record<string, string>

interface SetUp {
  /** Given beforehand, by a file or flags. */
  answers: Answers
  /** Null where nobody is there to be asked: then an answer that lacks ends it. */
  ask: ((question: string, usual: string) => Promise<string>) | null
  say: (line: string) => void
  file: string
  /** Writes the file though a check failed, or though it is there already. */
  insists: boolean
}

const questions = [
  ["PUBLIC_URL", "Endereço público do site, com https://", ""],
  ["PIX_PROVIDER", `Banco (simulator para experimentar; ${Object.keys(connectByName).join(", ")})`, "simulator"],
  ["ADMIN_EMAIL", "E-mail do primeiro administrador", ""],
  ["SMTP_URL", "Servidor de e-mail, como smtp://usuario:senha@servidor:587 (vazio: nenhum)", ""],
  ["DATABASE_URL", "PostgreSQL, como postgres://usuario:senha@servidor:5432/banco (vazio: o embutido)", ""],
  ["TRUSTED_PROXIES", "Endereços do proxy, como o servidor os vê", "loopback"],
] as const

/** Somebody who gives the same bad answer for ever is left alone. */
const mostQuestions = 40

/**
 * Asks what can't be guessed, tries all of it out and writes the environment file, which only its owner may read. Returns
 * how many checks failed; the file is then written only where that was insisted on.
 */
export async function setUp({ answers, ask, say, file, insists }: SetUp): Promise<number> {
  await refuseFile(file, insists)
  const given = { ...answers }
  if (ask !== null) {
    for (const [name, question, usual] of questions) given[name] ??= await ask(`${name}. ${question}`, usual)
  }
  if (ask === null && (given["PUBLIC_URL"] ?? "") === "") {
    throw new StartError(
      "Falta o endereço público: npm run setup -- PUBLIC_URL=https://… (ou num terminal, que pergunta).",
    )
  }
  given["SECRETS_KEY"] ??= randomBytes(32).toString("base64")
  const env = await completed(given, ask)
  say("Verificando as respostas")
  const failures = await printFindings(findingsOf(env), say)
  if (failures > 0 && !insists && !(await isConfirmed(ask))) return failures
  await write(file, environmentFile(given), insists)
  say(`${file} está pronto, só para o dono dele (0600). Guarde a SECRETS_KEY também fora desta máquina.`)
  say(
    `Inicie com: npx node --env-file=${file} tools/start.ts (no systemd, EnvironmentFile; num contêiner, --env-file).`,
  )
  return failures
}

/** Reads the answers as a start does. Whatever variable it names as missing or bad is asked for. */
async function completed(given: Answers, ask: SetUp["ask"]): Promise<Env> {
  for (let questions = 0; ; questions += 1) {
    try {
      environmentFile(given)
      const env = readEnv(given)
      connectByName[env.pixProvider]?.(env.pix, createLog("silent"))
      requireMail(env)
      return env
    } catch (error) {
      const name = error instanceof StartError ? /\b([A-Z]+(?:_[A-Z]+)+)\b/.exec(error.message)?.[1] : undefined
      if (ask === null || name === undefined || questions > mostQuestions) throw error
      given[name] = await ask(`${(error as Error).message}\n${name}`, "")
    }
  }
}

async function* findingsOf(env: Env): AsyncGenerator<Finding> {
  yield await databaseFinding(env)
  yield await mailFinding(env)
  yield* findingsAtBank(env, { createsCharge: false, createsRecurrence: false })
}

async function databaseFinding({ databaseUrl, dataDir }: Env): Promise<Finding> {
  const what = "Banco de dados"
  if (databaseUrl === null) return { works: true, what, found: `o embutido, em ${dataDir}.` }
  try {
    const version = await tryDatabase(databaseUrl, createLog("silent"))
    return { works: true, what, found: `PostgreSQL ${version}, que deixa criar o que o servidor precisa.` }
  } catch (error) {
    return { works: false, what, found: messageOf(error) }
  }
}

async function mailFinding({ smtpUrl, pixProvider }: Env): Promise<Finding> {
  const what = "E-mail"
  if (smtpUrl === null)
    return { works: true, what, found: "nenhum servidor: os e-mails só são mostrados nesta máquina." }
  const problem = await checkSmtp(smtpUrl, { insistsOnTls: pixProvider !== "simulator" })
  if (problem === null) return { works: true, what, found: "o servidor aceita a conexão e a senha." }
  return { works: false, what, found: `o servidor não aceita: ${problem}.`, advice: "Confira SMTP_URL e a rede." }
}

async function isConfirmed(ask: SetUp["ask"]): Promise<boolean> {
  return ask !== null && (await ask("Gravar assim mesmo? (sim ou não)", "não")).trim().toLowerCase() === "sim"
}

/** Without quotes, because systemd, containers and Node read quotes and what they protect each in another way. */
export function environmentFile(answers: Answers): string {
  const lines = Object.entries(answers).flatMap(([name, value]) => {
    if (value === "") return []
    if (/["'`\\#\r\n]|^\s|\s$/.test(value)) {
      throw new StartError(
        `Variável de ambiente ${name} inválida: aspas, # e barras invertidas não se leem igual em toda parte; ` +
          `ponha o valor num arquivo e o nome dele em ${name}_FILE, ou escreva-as com % na URL.`,
      )
    }
    return [`${name}=${value}\n`]
  })
  return lines.join("")
}

/** Before any question is asked: a person's answers are not thrown away for the name of a file. */
async function refuseFile(file: string, insists: boolean): Promise<void> {
  if (!insists && (await stat(file).catch(() => null)) !== null) throw isThere(file)
  const folder = dirname(resolve(file))
  if ((await stat(folder).catch(() => null)) === null) throw new StartError(`A pasta ${folder} não existe.`)
}

function isThere(file: string): StartError {
  return new StartError(`${file} já existe: escolha outro com --arquivo, ou troque-o com --mesmo-assim.`)
}

/** Closed before anything is in it; what is there already is never written over by accident. */
async function write(file: string, text: string, insists: boolean): Promise<void> {
  try {
    await writeFile(file, text, { mode: 0o600, flag: insists ? "w" : "wx" })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
    throw isThere(file)
  }
  await chmod(file, 0o600)
}

/** The provider may have received it before the backup and told of it afterwards. */
const overlapSeconds = 3600

type ProviderEnv = Pick<Env, "dataDir" | "pixProvider" | "pix" | "simulator">

/** Tells how much newer the provider is than a backup. */
export async function askProvider(
  env: ProviderEnv,
  db: Db,
  takenAt: Date,
  print: (line: string) => void,
): Promise<void> {
  const psp = connect(env)
  if (psp !== null) return compare(psp, db, takenAt, print)
  const isCompared = await withOwnSimulator(env, (simulator) =>
    compare(connectSimulator({ ...env.simulator, ...simulator }, createLog("silent")), db, takenAt, print),
  )
  if (!isCompared)
    print(`Não há banco simulado em DATA_DIR (${env.dataDir}) para dizer o que recebeu depois do backup.`)
}

async function compare(psp: Psp, db: Db, takenAt: Date, print: (line: string) => void): Promise<void> {
  const window = { from: secondsAfter(takenAt, -overlapSeconds), to: new Date() }
  try {
    const received = await unknownReceipts(psp, db, window)
    print(
      `O banco recebeu depois do backup: ${received.count} Pix, ${reaisText(received.cents)} (a conciliação os traz).`,
    )
    const paid = await unknownPayouts(psp, db, window)
    if (paid === null) return
    print(
      `O banco enviou sem que o backup saiba: ${paid.count} Pix, ${reaisText(paid.cents)} (veja o fechamento diário).`,
    )
  } catch (error) {
    if (!(error instanceof PspError)) throw error
    print(`O banco não respondeu: ${error.message}.`)
  }
}

function connect({ pixProvider, pix, simulator }: ProviderEnv): Psp | null {
  const log = createLog("silent")
  const bank = connectByName[pixProvider]?.(pix, log)
  if (bank !== undefined) return bank
  const { url, receiverKey } = simulator
  return url === null || receiverKey === null ? null : connectSimulator({ ...simulator, url, receiverKey }, log)
}

interface Found {
  count: number
  cents: Cents
}

const nothing: Found = { count: 0, cents: noMoney }

async function unknownReceipts(psp: Psp, db: Db, window: PspWindow): Promise<Found> {
  let found = nothing
  for await (const page of psp.listReceipts(window)) {
    const ids = page.map(({ endToEndId }) => endToEndId)
    const booked = await findBookedIds(db, ids)
    found = withMore(
      found,
      page.filter(({ endToEndId }) => !booked.has(endToEndId)),
    )
  }
  return found
}

/** Null where the provider's API has no payouts. */
async function unknownPayouts({ payouts }: Psp, db: Db, window: PspWindow): Promise<Found | null> {
  if (payouts === null) return null
  let found = nothing
  for await (const page of payouts.list(window)) {
    const ids = page.flatMap(({ payoutId }) => (payoutId === null ? [] : [payoutId]))
    const known = await findWithdrawalsOfPayouts(db, ids)
    const gone = page.filter(({ state, payoutId }) => state !== "refused" && !known.has(payoutId ?? ""))
    found = withMore(found, gone)
  }
  return found
}

function withMore({ count, cents }: Found, more: { amountCents: Cents | null }[]): Found {
  const sum = more.reduce((total, { amountCents }) => addCents(total, amountCents ?? noMoney), cents)
  return { count: count + more.length, cents: sum }
}
