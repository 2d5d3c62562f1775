import { afterAll, describe, expect, test } from "vitest"
import { newId } from "#kit/ids"
import { tidyUp } from "#start/retention"
import { createTestDatabase } from "../../../test-support/test-database.ts"
import { listNotices, markNoticesRead } from "./notices.ts"
import { notifyOwner, notifyOwners } from "./notify-owner.ts"

const now = new Date("2026-11-23T12:00:00Z")
const clock = { now: () => now }

const database = await createTestDatabase()

afterAll(() => database.drop())

const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)

/** No user has this id: notices name their reader without a foreign key, and this kind is never mailed. */
const noticeOf = (title: string) =>
  ({ kind: "page_reported", title, sellerName: "Ana", reason: "Outro motivo" }) as const

async function tell(
  userId: string,
  title: string,
  at = now,
  keys: { dedupeKey?: string; about?: string } = {},
): Promise<void> {
  await database.db.transaction().execute((tx) => notifyOwner(tx, { userId, notice: noticeOf(title), ...keys }, at))
}

const list = (userId: string, limit = 100, after?: string) => listNotices(database.db, userId, { limit, after })
const titlesOf = ({ notices }: Awaited<ReturnType<typeof list>>) =>
  notices.map(({ title }) => title.replace("Página denunciada: ", ""))
const read = (userId: string, ids: readonly string[] | null) =>
  markNoticesRead({ db: database.db, clock }, { userId, ids })

describe("the list of notices", () => {
  test("is read part by part, newest first, also those of one moment and while others come", async () => {
    const userId = newId()
    for (const title of ["1", "2", "3", "4", "5"]) await tell(userId, title, daysAgo(title === "1" ? 2 : 1))
    await tell(newId(), "de outra pessoa")
    const first = await list(userId, 2)
    await tell(userId, "6")
    const second = await list(userId, 2, first.next ?? "")
    const third = await list(userId, 2, second.next ?? "")
    expect([first, second, third].flatMap(titlesOf)).toEqual(["5", "4", "3", "2", "1"])
    expect(third.next).toBeNull()
    expect(titlesOf(await list(userId, 1))).toEqual(["6"])
  })

  test("ends at its end, and refuses a row that is not there", async () => {
    const userId = newId()
    await tell(userId, "1")
    const only = await list(userId)
    expect([only.next, (await list(userId, 1, only.notices[0]?.id)).notices]).toEqual([null, []])
    await expect(list(userId, 1, newId())).rejects.toMatchObject({ code: "malformed_request" })
  })

  test("holds what was told twice under one key once", async () => {
    const userId = newId()
    await Promise.all([1, 2].map(() => tell(userId, "1", now, { dedupeKey: "key" })))
    expect(titlesOf(await list(userId))).toEqual(["1"])
  })

  test("holds one notice of what goes on: the last, at its moment and unread again", async () => {
    const [userId, other] = [newId(), newId()]
    await tell(userId, "antes", daysAgo(3), { about: "saque" })
    await tell(userId, "outro", daysAgo(2))
    await tell(other, "de outra pessoa", daysAgo(2), { about: "saque" })
    await read(userId, null)
    await Promise.all([1, 2].map(() => tell(userId, "depois", daysAgo(1), { about: "saque" })))
    expect(titlesOf(await list(userId))).toEqual(["depois", "outro"])
    expect((await list(userId)).notices.map(({ read_at }) => read_at)).toEqual([null, now])
    expect(titlesOf(await list(other))).toEqual(["de outra pessoa"])
    const told = ["um", "dois"].map((title) => ({ userId, about: "saque", notice: noticeOf(title) }))
    await database.db.transaction().execute((tx) => notifyOwners(tx, told, now))
    expect(titlesOf(await list(userId))).toEqual(["dois", "outro"])
  })

  test("tells security apart, and counts what is unread of each", async () => {
    const userId = newId()
    await tell(userId, "1")
    const notice = { kind: "sessions_ended", count: 1, endedAt: now.toISOString() } as const
    await database.db.transaction().execute((tx) => notifyOwners(tx, [{ userId, notice, mail: null }], now))
    const part = await listNotices(database.db, userId, { limit: 10, topic: "security" })
    expect(part.notices.map(({ kind }) => kind)).toEqual(["sessions_ended"])
    expect(part.unreadByTopic).toEqual({ activity: 1, security: 1 })
    expect((await list(userId)).notices.map(({ topic }) => topic).toSorted()).toEqual(["activity", "security"])
  })
})

test("what is being written over stays unread, and nobody waits for it", async () => {
  const userId = newId()
  await tell(userId, "antes", now, { about: "saque" })
  await tell(userId, "outro")
  await database.db.transaction().execute(async (tx) => {
    await notifyOwner(tx, { userId, about: "saque", notice: noticeOf("depois") }, now)
    await read(userId, null)
  })
  expect((await list(userId)).unreadByTopic.activity).toBe(1)
})

describe("reading notices", () => {
  test("marks those named, of the reader alone, once; unknown names are passed over", async () => {
    const [userId, other] = [newId(), newId()]
    for (const title of ["1", "2"]) await tell(userId, title)
    await tell(other, "de outra pessoa")
    const [newest] = (await list(userId)).notices
    const [foreign] = (await list(other)).notices
    await read(userId, [newest?.id ?? "", foreign?.id ?? "", newId(), "nada"])
    expect((await list(userId)).notices.map(({ read_at }) => read_at)).toEqual([now, null])
    expect([(await list(userId)).unreadByTopic.activity, (await list(other)).unreadByTopic.activity]).toEqual([1, 1])
    await markNoticesRead({ db: database.db, clock: { now: () => daysAgo(-1) } }, { userId, ids: [newest?.id ?? ""] })
    expect((await list(userId)).notices[0]?.read_at).toEqual(now)
  })

  test("marks all without names, and none for an empty list; more than a hundred count as a hundred", async () => {
    const userId = newId()
    for (let each = 0; each < 101; each += 1) await tell(userId, String(each))
    await read(userId, [])
    expect((await list(userId, 1)).unreadByTopic.activity).toBe(100)
    await read(userId, null)
    expect((await list(userId, 1)).unreadByTopic.activity).toBe(0)
  })
})

test("the job deletes what is older than half a year, read or not", async () => {
  const userId = newId()
  for (const [title, days] of [
    ["old", 181],
    ["read", 181],
    ["kept", 179],
  ] as const) {
    await tell(userId, title, daysAgo(days))
  }
  await read(userId, [(await list(userId)).notices.find(({ title }) => title.endsWith("read"))?.id ?? ""])
  await tidyUp({ db: database.db, clock })
  await tidyUp({ db: database.db, clock })
  expect(titlesOf(await list(userId))).toEqual(["kept"])
})
