import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startSimulator } from "@tilinta/simulator/start-simulator"
import { expect, test } from "vitest"
import { createSandboxClock } from "./watched-psp.ts"

const start = new Date("2026-11-23T12:00:00Z")

test("the clock that is moved at the simulated bank moves, and stays when nobody answers", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "tilinta-bank-"))
  const bank = await startSimulator({ port: 0, dataDir, clientId: "test", clientSecret: "test" })
  const clock = createSandboxClock({ now: () => start }, bank.url)
  const move = (change: object) =>
    fetch(`${bank.url}/simulador/api/controle/relogio`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(change),
    })
  await clock.refresh()
  expect(clock.now()).toEqual(start)
  expect((await move({ avancarMs: 86_400_000 })).status).toBe(200)
  await clock.refresh()
  expect(clock.now()).toEqual(new Date("2026-11-24T12:00:00Z"))
  await bank.stop()
  await rm(dataDir, { recursive: true, force: true })
  await clock.refresh()
  expect(clock.now()).toEqual(new Date("2026-11-24T12:00:00Z"))
})
