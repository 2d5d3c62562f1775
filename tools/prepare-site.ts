import { type ChildProcess, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { isBuildFresh } from "../web/build-stamp.ts"

/** Builds the pages when they are missing or older than their sources; ends the process if that fails. */
export async function prepareSite(): Promise<void> {
  if (isBuildFresh()) return
  console.log("Preparando as páginas (só na primeira vez e depois de mudanças)…")
  await buildInChild()
}

/** Builds in a child process: the bundler's memory would otherwise stay with the server for as long as it runs. */
async function buildInChild(): Promise<void> {
  const child = spawn(process.execPath, [fileURLToPath(new URL("../web/build.ts", import.meta.url))], {
    stdio: "inherit",
  })
  const stop = () => {
    child.kill()
    process.exit(0)
  }
  process.on("SIGINT", stop).on("SIGTERM", stop)
  const isBuilt = await succeeds(child)
  process.off("SIGINT", stop).off("SIGTERM", stop)
  if (isBuilt) return

  console.error("As páginas não puderam ser preparadas: veja o erro acima.")
  process.exit(1)
}

function succeeds(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve, reject) => {
    child.once("error", reject).once("exit", (code) => resolve(code === 0))
  })
}
