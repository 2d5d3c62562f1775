import { sql } from "kysely"
import type { Pool } from "pg"
import type { Db } from "./transaction.ts"

/** A key of advisory-locks.ts. */
type LockKey = readonly [number, number]

/** Held as long as its connection lives, so that a killed process can't leave it behind. */
interface HeldLock {
  /** Ends the pool, too. */
  letGo(): Promise<void>
}

/** Null, and the pool ended, when another process holds the lock. The pool must have a connection for it. */
export async function takeLock(pool: Pool, key: LockKey): Promise<HeldLock | null> {
  try {
    const client = await pool.connect()
    const { rows } = await client.query("select pg_try_advisory_lock($1, $2) as taken", [...key])
    if (rows[0]?.taken === true) {
      return {
        async letGo() {
          // PostgreSQL notices the connection's end only later: until then the next one would be refused.
          const unlock = client.query("select pg_advisory_unlock($1, $2)", [...key])
          await unlock.catch(() => undefined)
          client.release(true)
          await pool.end()
        },
      }
    }
    client.release()
  } catch (error) {
    await pool.end()
    throw error
  }
  await pool.end()
  return null
}

/** On any node. */
export async function isLockHeld(db: Db, [key, part]: LockKey): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select exists (
      select from pg_locks
      where locktype = 'advisory' and classid = ${key} and objid = ${part} and objsubid = 2 and granted
        and database = (select oid from pg_database where datname = current_database())
    ) as held`.execute(db)
  return rows[0]?.held ?? false
}
