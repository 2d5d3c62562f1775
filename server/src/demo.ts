import { StartError } from "#kit/errors"
import { createLog } from "#kit/log"
import { type DemoLogins, fillDemoOnce } from "#start/demo"
import { readEnv } from "#start/env"

/** Keeps the demo out of the folder of real data. */
if ((process.env.DATA_DIR ?? "").trim() === "") process.env.DATA_DIR = "./data-demo"

const logins = await prepare()
await import("./main.ts")
announce(logins)

/** Fills the database before the server starts as usual. */
async function prepare(): Promise<DemoLogins> {
  const unwanted = new AbortController()
  const stop = () => unwanted.abort()
  process.on("SIGTERM", stop).on("SIGINT", stop)
  try {
    // Mishaps are part of the story and not logged; a real failure ends the filling.
    const log = createLog("fatal")
    let begunAt: number | null = null
    const onFilling = () => {
      begunAt = performance.now()
      console.log(
        "Preenchendo a demonstração com três meses de história. É só desta vez e leva de um a três minutos, mais numa máquina ocupada…",
      )
    }
    const filled = await fillDemoOnce(readEnv(process.env), { log, signal: unwanted.signal, onFilling })
    if (begunAt !== null) console.log(`Demonstração preenchida em ${durationText(performance.now() - begunAt)}.`)
    return filled
  } catch (error) {
    if (unwanted.signal.aborted) process.exit(0)
    if (!(error instanceof StartError)) throw error
    console.error(error.message)
    process.exit(1)
  } finally {
    process.off("SIGTERM", stop).off("SIGINT", stop)
  }
}

function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

function announce({ admin, seller }: DemoLogins): void {
  console.log(`Demonstração. Administração: ${admin.email}, senha ${admin.password}`)
  console.log(`Demonstração. Vendedora: ${seller.email}, senha ${seller.password}`)
}
