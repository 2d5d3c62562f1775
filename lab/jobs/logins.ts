import { setTimeout as sleep } from "node:timers/promises"
import { hashPassword } from "../../server/src/people/users/passwords.ts"
import { numberOf } from "../kit/arguments.ts"
import { atMost, type Job, shownOnly } from "../kit/job.ts"
import { openMarket } from "../kit/market.ts"
import { type OpenLoopFigures, openLoop } from "../kit/open-loop.ts"
import { rawRequest } from "../kit/raw-http.ts"

const accounts = 1_000
const charges = 2_000
const password = "uma senha bem comprida"
/** The event-loop monitor ticks at this interval and counts its own pause as delay. */
const tickMs = 10
const settleMs = 2_000

/** Arguments: `seconds=` of each part, `logins=` and `polls=` per second. */
export const job: Job = {
  title: "Logins",
  async run(args) {
    const seconds = numberOf(args, "seconds", 20)
    const logins = numberOf(args, "logins", 50)
    const polls = numberOf(args, "polls", 500)
    const market = await openMarket({ sellers: accounts, charges })
    try {
      await market.query(`update users set password_hash = '${await hashPassword(password)}'`)
      const server = await market.startServer()
      const port = Number(new URL(server.url).port)
      const poll = () =>
        openLoop({ port, connections: 32, perSecond: polls, seconds, whenBusy: "wait", next: nextPoll() })
      await poll()
      await sleep(settleMs)
      await readDelayMs(server.url)
      const alone = none(await poll(), "polls")
      const delayAlone = await readDelayMs(server.url)
      const [loggedIn, beside] = await Promise.all([
        openLoop({ port, connections: 64, perSecond: logins, seconds, whenBusy: "wait", next: nextLogin() }),
        poll(),
      ])
      const delay = await readDelayMs(server.url)
      none(loggedIn, "logins")
      none(beside, "polls")
      return {
        rows: [
          atMost(10, { what: `event-loop delay p99 at ${logins} logins a second`, figure: delay, unit: "ms" }),
          shownOnly({ what: "the same without logins", figure: delayAlone, unit: "ms" }),
          shownOnly({ what: "a login, p50", figure: loggedIn.p50Ms, unit: "ms" }),
          shownOnly({ what: "a login, p99", figure: loggedIn.p99Ms, unit: "ms" }),
          shownOnly({
            what: "payment-status beside them, p99",
            figure: beside.p99Ms,
            unit: "ms",
            limit: { name: "without logins", figure: alone.p99Ms },
          }),
        ],
        notes: [
          `Open loop, ${seconds} s: ${logins} logins with the right password and ${polls} polls a second, then the polls alone. Every password is an argon2id hash of 19 MiB and two passes; two are worked on at a time, beside the event loop. The delay is the server's own measure in /metrics, less the ${tickMs} ms that its clock itself pauses. No login was refused.`,
        ],
      }
    } finally {
      await market.close()
    }
  },
}

function nextPoll(): () => Buffer {
  let count = 0
  return () => {
    count += 1
    const id = `${(count % charges).toString(16).padStart(8, "0")}-0000-7000-8000-000000000000`
    return rawRequest("GET", `/api/v1/checkout/payment-status/${id}`)
  }
}

function nextLogin(): () => Buffer {
  let count = 0
  return () => {
    count += 1
    const email = `v${count % accounts}@loja.example`
    return rawRequest("POST", "/api/v1/auth/login", { body: JSON.stringify({ email, password }) })
  }
}

function none(figures: OpenLoopFigures, what: string): OpenLoopFigures {
  if (figures.refused > 0) throw new Error(`${what} were refused: ${figures.refused}`)
  if (Object.keys(figures.failed).length > 0) throw new Error(`${what} failed: ${JSON.stringify(figures.failed)}`)
  return figures
}

/** The event loop's delay since the last call. */
async function readDelayMs(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const seconds = Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(text)?.[1])
  return Math.max(0, seconds * 1000 - tickMs)
}
