import { expect, test } from "vitest"
import type { Calls } from "./api-client.ts"
import { eventReader, type TilintaEvent } from "./read-events.ts"
import { TilintaError } from "./send-request.ts"

type Page = Awaited<ReturnType<Calls["listEvents"]>>
type Asked = NonNullable<Parameters<Calls["listEvents"]>[0]>["query"]

const away = new TilintaError(0, { message: "The server did not answer" })
const page = (next: number, ...sequences: number[]): Page => ({
  events: sequences.map((sequence) => ({ sequence }) as TilintaEvent),
  hasMore: false,
  next,
})

/** A feed that gives these replies in their order, and after the last ends the reading. */
function feed(...replies: (Page | Error)[]) {
  const asked: Asked[] = []
  const pauses: number[] = []
  const reading = new AbortController()
  const listEvents: Calls["listEvents"] = async ({ query }) => {
    asked.push(query)
    const reply = replies.shift()
    if (reply === undefined) reading.abort()
    if (reply === undefined || reply instanceof Error) throw reply ?? away
    return reply
  }
  const events = eventReader({ listEvents }, async (ms) => void pauses.push(ms))
  return { asked, pauses, events, signal: reading.signal }
}

async function sequencesOf(events: AsyncIterable<TilintaEvent>): Promise<number[]> {
  const read: number[] = []
  for await (const { sequence } of events) read.push(sequence)
  return read
}

test("events are read on from where the caller was, each page after the one before, waiting for the next", async () => {
  const { asked, events, signal } = feed(page(9, 8, 9), page(30), page(31, 31))
  expect(await sequencesOf(events({ after: 7, types: ["charge.paid", "page.created"], signal }))).toEqual([8, 9, 31])
  expect(asked.map((query) => query?.after)).toEqual([7, 9, 30, 31])
  expect(new Set(asked.map((query) => `${query?.wait} ${query?.types}`))).toEqual(
    new Set(["20 charge.paid,page.created"]),
  )
})

test("while the server is away the reading waits, ever longer, and misses nothing", async () => {
  const busy = new TilintaError(503, { message: "overloaded" })
  const { asked, pauses, events, signal } = feed(page(2, 1, 2), away, busy, away, page(3, 3), away, page(4, 4))
  expect(await sequencesOf(events({ signal }))).toEqual([1, 2, 3, 4])
  expect(asked.map((query) => query?.after)).toEqual([0, 2, 2, 2, 2, 3, 3, 4])
  expect(pauses).toEqual([1_000, 2_000, 4_000, 1_000])
})

test("a key that is no longer taken ends the reading with the server's words", async () => {
  const refused = new TilintaError(401, { message: "Chave de API inválida, expirada ou revogada." })
  const { events } = feed(page(1, 1), refused)
  await expect(sequencesOf(events())).rejects.toBe(refused)
})

test("an event that the caller could not deal with is not passed over", async () => {
  const { asked, events, signal } = feed(page(2, 1, 2))
  const failing = async () => {
    for await (const { sequence } of events({ signal })) if (sequence === 2) throw new Error("no")
  }
  await expect(failing()).rejects.toThrow("no")
  expect(asked).toHaveLength(1)
})
