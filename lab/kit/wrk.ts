import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"

const run = promisify(execFile)

interface Asked {
  path: string
  headers: Record<string, string>
}

interface WrkFigures {
  perSecond: number
  requests: number
  /** Answers other than 2xx and 3xx, and broken connections. */
  failed: number
}

/** One thread, because the load generator shares the cores with what it measures. */
export async function wrk(options: {
  port: number
  asked: readonly Asked[]
  connections: number
  seconds: number
}): Promise<WrkFigures> {
  const folder = await mkdtemp(join(tmpdir(), "tilinta-wrk-"))
  try {
    const script = join(folder, "requests.lua")
    await writeFile(script, scriptFor(options.asked))
    const wishes = ["-t", "1", "-c", String(options.connections), "-d", `${options.seconds}s`, "-s", script]
    const { stdout } = await run("wrk", [...wishes, `http://127.0.0.1:${options.port}/`])
    const requests = Number(/(\d+) requests in/.exec(stdout)?.[1] ?? 0)
    const refused = Number(/Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1] ?? 0)
    const broken = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(stdout)?.slice(1) ?? []
    const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1])
    if (!(perSecond > 0)) throw new Error(`wrk: ${stdout}`)
    return { perSecond, requests, failed: broken.reduce((sum, count) => sum + Number(count), refused) }
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ENOENT") throw error
    throw new Error("This job needs wrk on the PATH (Debian: wrk).", { cause: error })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A script that sends prepared requests round robin. */
function scriptFor(asked: readonly Asked[]): string {
  const lines = asked.map(({ path, headers }) => {
    const told = Object.entries(headers).map(([name, value]) => `${name}: ${value}\\r\\n`)
    return `"GET ${path} HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\n${told.join("")}\\r\\n",`
  })
  return `local requests = {\n${lines.join("\n")}\n}
local at = 0
request = function()
  at = at % #requests + 1
  return requests[at]
end
`
}
