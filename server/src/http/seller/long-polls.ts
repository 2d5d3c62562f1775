import type { FastifyInstance, FastifyReply } from "fastify"
import type { Events } from "#events/events"
import { createStreamSlots } from "#http/stream-slots"

interface LongPoll<Answer> {
  sellerId: string
  seconds: number
  reply: FastifyReply
  read(): Promise<Answer>
  isWorthTelling(answer: Answer): boolean
}

interface LongPolls {
  /** Reads at once, and again after each event of the seller, until there is something to tell or the time is over. */
  answer<Answer>(poll: LongPoll<Answer>): Promise<Answer>
}

const POLLS_PER_SELLER = 8
/** Each one that waits is a timer and a socket. */
const POLLS_IN_ALL = 2_000

/** Requests that wait for events, without a connection of the database. None outlives the server, its client or its session. */
export function createLongPolls(app: FastifyInstance, events: Pick<Events, "onEventsOf" | "onSessionsOf">): LongPolls {
  const places = createStreamSlots(POLLS_PER_SELLER, POLLS_IN_ALL)
  const ends = new Set<() => void>()
  let isClosing = false
  app.addHook("preClose", async () => {
    isClosing = true
    for (const end of ends) end()
  })

  return {
    async answer({ sellerId, seconds, reply, read, isWorthTelling }) {
      const leave = places.take(sellerId)
      let hasNews = false
      let isOver = isClosing
      let wake: () => void = () => undefined
      const tell = () => {
        hasNews = true
        wake()
      }
      const end = () => {
        isOver = true
        wake()
      }
      ends.add(end)
      reply.raw.once("close", end)
      const timer = setTimeout(end, seconds * 1000)
      const stops = [events.onEventsOf(sellerId, tell), events.onSessionsOf(sellerId, end)]
      try {
        for (;;) {
          hasNews = false
          const answer = await read()
          if (isOver || isWorthTelling(answer)) return answer
          await new Promise<void>((resolve) => {
            wake = resolve
            if (hasNews || isOver) resolve()
          })
          // A session that has ended hears nothing more.
          if (isOver) return answer
        }
      } finally {
        clearTimeout(timer)
        for (const stop of stops) stop()
        ends.delete(end)
        leave()
      }
    },
  }
}
