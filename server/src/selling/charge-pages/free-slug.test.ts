import { sql } from "kysely"
import { afterAll, expect, test, vi } from "vitest"
import { buffersOf } from "../../../test-support/query-plans.ts"
import { createPage, createSeller, openSandbox } from "../../../test-support/sandbox.ts"
import { findFreeSlug } from "./create.ts"

const sandbox = await openSandbox()
const pageId = (await createPage(sandbox, { sellerId: await createSeller(sandbox) })).id

afterAll(() => sandbox.close())

async function take(slug: string, from: number, to: number): Promise<void> {
  await sql`
    insert into charge_page_slugs (slug, page_id)
    select left(${slug}::text, 99 - length(number::text)) || '-' || number, ${pageId}::uuid
    from generate_series(${from}::integer, ${to}::integer) number`.execute(sandbox.db)
}

async function takeBare(slug: string): Promise<void> {
  await sandbox.db.insertInto("charge_page_slugs").values({ slug, page_id: pageId }).execute()
}

const free = (slug: string, own: string | null = null) => findFreeSlug(sandbox.db, slug, own)

test("with 50,000 taken the next one is found in one query", async () => {
  await takeBare("curso")
  await take("curso", 2, 50_000)
  const query = vi.spyOn(sandbox.db, "getExecutor")
  expect(await free("curso")).toBe("curso-50001")
  expect(query).toHaveBeenCalledTimes(1)
  // It probes; reading all of them would take a thousand.
  expect(await buffersOf(sandbox, (db) => findFreeSlug(db, "curso", null))).toBeLessThan(400)
})

test.each([1, 2, 3, 19, 20, 21, 39, 40, 41, 64, 1_000])("with 1 to %d taken the next number is free", async (last) => {
  const slug = `serie${last}`
  await takeBare(slug)
  if (last > 1) await take(slug, 2, last)
  expect(await free(slug)).toBe(`${slug}-${last + 1}`)
})

test("a gap among the first is filled; a reserved word starts at 2; a page's own slugs are free to it", async () => {
  await takeBare("aula")
  await take("aula", 3, 30)
  expect(await free("aula")).toBe("aula-2")
  expect(await free("admin")).toBe("admin-2")
  expect(await free("aula", pageId)).toBe("aula")
})

test("a long slug is cut to make space for its number", async () => {
  const long = "a".repeat(100)
  await takeBare(long)
  await take(long, 2, 120)
  const found = await free(long)
  expect(found).toBe(`${"a".repeat(96)}-121`)
})
