import { createLog } from "#kit/log"
import { StartError } from "#kit/start-error"
import { readEnv } from "./env.ts"
import { type DemoLogins, fillDemoOnce } from "./start-demo.ts"

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
    return await fillDemoOnce(readEnv(process.env), { log, signal: unwanted.signal, onFilling })
  } catch (error) {
    if (unwanted.signal.aborted) process.exit(0)
    if (!(error instanceof StartError)) throw error
    console.error(error.message)
    process.exit(1)
  } finally {
    process.off("SIGTERM", stop).off("SIGINT", stop)
  }
}

function onFilling(): void {
  console.log("Preenchendo a demonstração com três meses de história (só desta vez, leva menos de um minuto)…")
}

function announce({ admin, seller }: DemoLogins): void {
  console.log(`Demonstração. Administração: ${admin.email}, senha ${admin.password}`)
  console.log(`Demonstração. Vendedora: ${seller.email}, senha ${seller.password}`)
}
