import { expect, test } from "vitest"
import { createAgenda } from "./story.ts"

const start = new Date("2026-03-01T03:00:00Z")
const end = new Date("2026-03-05T03:00:00Z")
const at = (day: number) => new Date(Date.UTC(2026, 2, day, 12))

test("what is planned happens in the order of its moments, also what follows from it, and nothing after the end", async () => {
  const agenda = createAgenda({ start, end, signal: new AbortController().signal })
  const happened: string[] = []
  const note = (what: string) => async () =>
    void happened.push(`${what} ${agenda.clock.now().toISOString().slice(8, 10)}`)
  agenda.plan(at(3), note("third"))
  agenda.plan(at(7), note("too late"))
  agenda.plan(at(2), async () => {
    await note("second")()
    agenda.plan(at(1), note("missed"))
    agenda.plan(at(4), note("fourth"))
  })
  await agenda.run()
  expect(happened).toEqual(["second 02", "missed 02", "third 03", "fourth 04"])
  expect(agenda.clock.now()).toEqual(end)
})

test("an abort takes effect after one event at most", async () => {
  const unwanted = new AbortController()
  const agenda = createAgenda({ start, end, signal: unwanted.signal })
  agenda.plan(at(2), async () => unwanted.abort())
  agenda.plan(at(3), async () => expect.unreachable())
  await expect(agenda.run()).rejects.toThrow("aborted")
})
