import { afterAll, expect, test } from "vitest"
import { asOwner } from "../../test-support/as-owner.ts"
import { createTestDatabase } from "../../test-support/test-database.ts"
import { createPool } from "./pools.ts"
import { backupLock, isLockHeld, takeLock } from "./transaction.ts"

const database = await createTestDatabase()

afterAll(() => database.drop())

/** Patient, because each of many connections is a process that a busy machine has to start. */
const pool = { max: 1, applicationName: "tilinta-test", connectionMs: 30_000 }
const take = () => takeLock(createPool({ url: database.url, ...pool }), backupLock)

test("it is held once, and free from the moment in which it was let go", async () => {
  for (let time = 0; time < 20; time += 1) {
    const lock = await take()
    expect(await take()).toBeNull()
    expect(await isLockHeld(database.db, backupLock)).toBe(true)
    await lock?.letGo()
    expect(await isLockHeld(database.db, backupLock)).toBe(false)
  }
})

test("a connection that was lost lets it go, too", async () => {
  const lock = await take()
  const holder = "select pid from pg_locks where locktype = 'advisory' and objid = " + backupLock[1]
  await asOwner(database, `select pg_terminate_backend((${holder}), 60000)`)
  await lock?.letGo()
  expect(await isLockHeld(database.db, backupLock)).toBe(false)
})
