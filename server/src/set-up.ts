import { randomBytes } from "node:crypto"
import { chmod, stat, writeFile } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { messageOf } from "#db/connect-owner"
import { tryDatabase } from "#db/migrate"
import { createLog } from "#kit/log"
import { StartError } from "#kit/start-error"
import { checkSmtp } from "#mail/smtp-mailer"
import type { Finding } from "#psp/api-pix/check-account"
import { connectByName } from "#psp/connect-psp"
import { findingsAtBank, tellFindings } from "./bank-findings.ts"
import { type Env, readEnv } from "./env.ts"
import { requireMail } from "./start-warnings.ts"

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
  const failures = await tellFindings(findingsOf(env), say)
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
  for (let asked = 0; ; asked += 1) {
    try {
      environmentFile(given)
      const env = readEnv(given)
      connectByName[env.pixProvider]?.(env.pix, createLog("silent"))
      requireMail(env)
      return env
    } catch (error) {
      const name = error instanceof StartError ? /\b([A-Z]+(?:_[A-Z]+)+)\b/.exec(error.message)?.[1] : undefined
      if (ask === null || name === undefined || asked > mostQuestions) throw error
      given[name] = await ask(`${(error as Error).message}\n${name}`, "")
    }
  }
}

async function* findingsOf(env: Env): AsyncGenerator<Finding> {
  yield await databaseFinding(env)
  yield await mailFinding(env)
  yield* findingsAtBank(env, false)
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
