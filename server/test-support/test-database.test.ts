import { expect, test } from "vitest"
import { createTestDatabase } from "./test-database.ts"

test("a test database holds the migrated schema, alone, and is gone afterwards", async () => {
  const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()])
  try {
    const { rows } = await one.pool.query("SELECT current_user AS me, count(*) AS migrations FROM schema_migrations")
    expect(rows[0]).toMatchObject({ me: "tilinta_app" })
    expect(rows[0].migrations).toBeGreaterThan(0)
    expect(one.url).not.toBe(two.url)
  } finally {
    await one.drop()
  }
  const { rows } = await two.pool.query("SELECT FROM pg_database WHERE datname = $1", [
    new URL(one.url).pathname.slice(1),
  ])
  expect(rows).toHaveLength(0)
  await two.drop()
})
