import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startSimulator } from "@tilinta/simulator/start-simulator"
import { afterAll, expect, test } from "vitest"
import { readEnv } from "#start/env"
import { writeAddress } from "#start/shared-parts"
import { createTestDatabase } from "../../test-support/test-database.ts"
import { askProvider } from "./set-up.ts"

const database = await createTestDatabase()
const dataDir = await mkdtemp(join(tmpdir(), "tilinta-ask-"))

afterAll(async () => {
  await database.drop()
  await rm(dataDir, { recursive: true })
})

async function ask(): Promise<string[]> {
  const lines: string[] = []
  await askProvider(readEnv({ DATA_DIR: dataDir }), database.db, new Date(), (line) => void lines.push(line))
  return lines
}

test("the server's own simulator says what a backup lacks, while it runs and after it was stopped", async () => {
  expect(await ask()).toEqual([expect.stringMatching(/^Não há banco simulado em DATA_DIR/)])
  const { simulator: account } = readEnv({})
  const folder = join(dataDir, "simulator")
  const simulator = await startSimulator({
    ...{ ...account, port: 0, dataDir: folder, isDurable: false, receiverKey: "a@b.example" },
    // A bank is asked until the present second, which it has not finished yet.
    now: () => Date.now() - 5_000,
  })
  try {
    await writeAddress(dataDir, simulator)
    const received = await fetch(`${simulator.url}/simulador/api/recebimentos`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ valor: "7.00" }),
    })
    expect(received.status).toBe(201)
    expect((await ask())[0]).toContain("recebeu depois do backup: 1 Pix, R$ 7,00")
  } finally {
    await simulator.stop()
  }
  expect((await ask())[0]).toContain("recebeu depois do backup: 1 Pix, R$ 7,00")
})
