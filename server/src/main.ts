import { holdTick } from "#kit/hold-tick"
import { createLog } from "#kit/log"
import { releaseMemory } from "#kit/release-memory"
import { StartError } from "#kit/start-error"
import { version } from "#kit/version"
import { readEnv } from "./env.ts"
import { type RunningServer, startServer } from "./start-server.ts"

/** Below the ten seconds after which supervisors kill. */
const exitAfterMs = 9_500

try {
  await run()
} catch (error) {
  if (!(error instanceof StartError)) throw error
  console.error(error.message)
  process.exit(1)
}

async function run(): Promise<void> {
  holdTick()
  const env = readEnv(process.env)
  const log = createLog(env.logLevel)
  const unwanted = new AbortController()
  const starting = startServer(env, log, unwanted.signal)

  let isStopping = false
  async function stop(exitCode: number): Promise<void> {
    if (isStopping) return
    isStopping = true
    unwanted.abort()
    setTimeout(() => process.exit(exitCode), exitAfterMs)
    const started: RunningServer | null = await starting.catch(() => null)
    await started?.stop()
    process.exit(exitCode)
  }
  process.on("SIGTERM", () => void stop(0))
  process.on("SIGINT", () => void stop(0))
  for (const event of ["unhandledRejection", "uncaughtException"] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, event)
      void stop(1)
    })
  }

  const started = await starting.catch((error: unknown) => {
    if (isStopping) return null
    throw error
  })
  if (started === null) return
  const { publicUrl, firstAdmin } = started
  if (firstAdmin !== null) announceAdmin(firstAdmin)
  console.log(`Tilinta, versão ${version}`)
  console.log(`Tilinta pronta em ${publicUrl}`)
  await releaseMemory()
}

function announceAdmin({ email, inventedPassword }: NonNullable<RunningServer["firstAdmin"]>): void {
  if (inventedPassword === null) console.log(`Administrador criado: ${email}`)
  else console.log(`Administrador criado: ${email} com a senha ${inventedPassword} (mostrada só desta vez: guarde-a)`)
}
