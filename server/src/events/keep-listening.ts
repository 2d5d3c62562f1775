import type pg from "pg"
import type { Logger } from "pino"
import { clientOn, type DatabaseRoute } from "#db/route"

interface Options {
  route: DatabaseRoute
  channels: readonly string[]
  log: Logger
  hear(notification: pg.Notification): void
  /** Called with each new connection: notifications may have been missed before it. */
  onListening(): void
}

/** How often the connection is asked whether its server still takes writes. */
const probeEveryMs = 1_500
/** Longer than a busy machine takes. */
const longestSilenceMs = 10_000
const retryMs = 500

/**
 * A LISTEN connection that is opened again whenever it is lost. It also is the one that notices a demoted server: a
 * read-only one delivers no notifications, and answers reads with what was.
 */
export function keepListening({ route, channels, log, hear, onListening }: Options): { stop(): Promise<void> } {
  // Listening again costs nothing, and helps where a pooler has put another session behind the connection.
  const listen = channels.map((channel) => `listen ${channel}`).join("; ")
  const RoutedClient = clientOn(route, [])
  let client: pg.Client | null = null
  let listening: pg.Client | null = null
  let stopped = false
  let retry: NodeJS.Timeout | undefined
  let isProbing = false

  async function connect(): Promise<void> {
    const next = new RoutedClient({
      application_name: "tilinta events",
      keepAlive: true,
      // A LISTEN connection is silent for hours, so only keep-alive reveals that it was lost.
      keepAliveInitialDelayMillis: 10_000,
    })
    next.on("error", () => undefined)
    next.on("end", () => leave(next))
    next.on("notification", hear)
    client = next
    await next.connect()
    await next.query(listen)
    listening = next
    onListening()
  }

  function leave(left: pg.Client): void {
    if (listening === left) listening = null
    if (client !== left) return
    client = null
    reconnectLater()
  }

  function reconnectLater(): void {
    if (stopped) return
    clearTimeout(retry)
    retry = setTimeout(() => {
      connect().catch((error: unknown) => {
        log.warn({ err: error }, "the event connection failed; trying again")
        reconnectLater()
      })
    }, retryMs)
  }

  async function probe(): Promise<void> {
    const probed = listening
    if (probed === null || isProbing) return
    isProbing = true
    const mode = await modeOf(probed, listen)
    isProbing = false
    if (mode === "off" || stopped || client !== probed) return
    log.warn({ mode }, "the event connection is silent or read-only: another is opened")
    if (mode === "on") route.renew()
    leave(probed)
    probed.end().catch(() => undefined)
  }

  connect().catch(reconnectLater)
  const probing = setInterval(() => void probe(), probeEveryMs).unref()

  return {
    async stop() {
      stopped = true
      clearTimeout(retry)
      clearInterval(probing)
      await client?.end().catch(() => undefined)
    },
  }
}

/** Whether the session is read-only, `on` or `off`; null when it does not answer. */
async function modeOf(client: pg.Client, listen: string): Promise<string | null> {
  const text = `${listen}; select current_setting('transaction_read_only') as mode`
  // The driver answers a text of several statements with a list.
  const query: pg.QueryConfig & { query_timeout: number } = { text, query_timeout: longestSilenceMs }
  const answers: unknown = await client.query(query).catch(() => null)
  const last = Array.isArray(answers) ? (answers.at(-1) as pg.QueryResult<{ mode: string }>) : null
  return last?.rows[0]?.mode ?? null
}
