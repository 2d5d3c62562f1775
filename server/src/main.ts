import { StartError } from "#kit/errors"
import type { Logger } from "#kit/log"
import { version } from "#kit/machine"
import type { Env } from "#start/env"
import { runProcess } from "#start/run-process"
import type { RunningServer } from "#start/server"

try {
  await runProcess(start, announce)
} catch (error) {
  if (!(error instanceof StartError)) throw error
  console.error(error.message)
  process.exit(1)
}

/** Each loads its own part only: the process of the workers serves nobody. */
async function start(env: Env, log: Logger, signal: AbortSignal): Promise<RunningServer> {
  if (env.workers === 1) return (await import("#start/server")).startServer(env, log, signal)
  return (await import("#start/workers")).startWorkers(env, log, signal)
}

function announce({ publicUrl, firstAdmin }: RunningServer): void {
  if (firstAdmin !== null) announceAdmin(firstAdmin)
  console.log(`Tilinta, versão ${version}`)
  console.log(`Tilinta pronta em ${publicUrl}`)
}

function announceAdmin({ email, inventedPassword }: NonNullable<RunningServer["firstAdmin"]>): void {
  if (inventedPassword === null) console.log(`Administrador criado: ${email}`)
  else console.log(`Administrador criado: ${email} com a senha ${inventedPassword} (mostrada só desta vez: guarde-a)`)
}
