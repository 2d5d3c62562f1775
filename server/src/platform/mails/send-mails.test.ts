import { afterEach, beforeEach, expect, test } from "vitest"
import { secondsAfter } from "#kit/clock"
import { createLog } from "#kit/log"
import type { Mailer } from "#mail/mailer"
import { createOutboxMailer, listOutbox } from "#mail/outbox"
import { createSmtpMailer } from "#mail/smtp-mailer"
import { startMailServer } from "../../../test-support/mail-server.ts"
import { createSeller } from "../../../test-support/sandbox.ts"
import { createTestDatabase, type TestDatabase } from "../../../test-support/test-database.ts"
import type { NewMail } from "./mail-content.ts"
import { enqueueMails } from "./notify-owner.ts"
import { sendMails } from "./send-mails.ts"

let database: TestDatabase
let sellerId: string
let now: Date
let logged: string
const clock = { now: () => now }
const log = createLog("info", { write: (line) => void (logged += line) })

beforeEach(async () => {
  database = await createTestDatabase()
  sellerId = await createSeller(database)
  now = new Date("2026-11-21T15:00:00Z")
  logged = ""
})

afterEach(async () => {
  await database.drop()
})

const resetMail = (token: string, dedupeKey = token): NewMail => ({
  userId: sellerId,
  dedupeKey,
  content: { kind: "reset_password", token, minutes: 30 },
})
const changeMail = (dedupeKey: string): NewMail => ({
  userId: sellerId,
  dedupeKey,
  content: { kind: "password_changed", changedAt: now.toISOString() },
})
const enqueue = (...mails: NewMail[]) => database.db.transaction().execute((tx) => enqueueMails(tx, mails, now))
const send = (mailer: Mailer = createOutboxMailer({ db: database.db, clock })) =>
  sendMails({ db: database.db, clock, log, mailer, publicUrl: "https://pix.example" })
const outbox = () => listOutbox(database.db, null)
const rows = () => database.db.selectFrom("mails").selectAll().orderBy("id").execute()

/** A mailer with scripted answers that records what it was given. */
function scripted(answer: (attempt: number) => "sent" | "failed" | "refused") {
  const ids: string[] = []
  const mailer: Mailer = {
    async send(mails) {
      ids.push(...mails.map(({ id }) => id))
      return mails.map(() => {
        const result = answer(ids.length)
        if (result === "sent") return { isSent: true }
        return { isSent: false, problem: "ECONNECTION CONN", isFinal: result === "refused" }
      })
    },
    stop: async () => undefined,
  }
  return { mailer, ids }
}

test("a mail is sent once, and its content is erased afterwards", async () => {
  await enqueue(resetMail("segredo-do-link"))
  await send()
  await send()
  const [mail, ...rest] = await outbox()
  expect(rest).toEqual([])
  expect(mail?.text).toContain("https://pix.example/reset-password/segredo-do-link")
  expect(await rows()).toMatchObject([{ sent_at: now, content: {}, attempts: 1 }])
})

test("a key has one mail, however often it is enqueued, in one batch, again, or concurrently", async () => {
  await enqueue(resetMail("a", "chave"), resetMail("b", "chave"))
  await Promise.all(Array.from({ length: 10 }, () => enqueue(resetMail("c", "chave"))))
  await send()
  await enqueue(resetMail("d", "chave"))
  await send()
  expect(await outbox()).toHaveLength(1)
})

test("concurrent senders share the work and send nothing twice", async () => {
  await enqueue(...Array.from({ length: 90 }, (_, i) => changeMail(`muitos-${i}`)))
  const { mailer, ids } = scripted(() => "sent")
  await Promise.all(Array.from({ length: 5 }, () => send(mailer)))
  expect(ids).toHaveLength(90)
  expect(new Set(ids).size).toBe(90)
})

test("while payments wait only a few mails are sent per run, afterwards all of them", async () => {
  const webhook = { provider: "x", body: Buffer.alloc(0), lengths: [2], received_at: now }
  const waiting = Array.from({ length: 60 }, () => webhook)
  await database.db.insertInto("psp_inbox").values(waiting).execute()
  await enqueue(...Array.from({ length: 40 }, (_, i) => changeMail(`pressa-${i}`)))
  const { mailer, ids } = scripted(() => "sent")
  await send(mailer)
  await send(mailer)
  expect(ids).toHaveLength(10)
  await database.db.updateTable("psp_inbox").set({ processed_at: now }).execute()
  await send(mailer)
  expect(ids).toHaveLength(40)
})

test("a rolled-back change sends no mail", async () => {
  const failing = database.db.transaction().execute(async (tx) => {
    await enqueueMails(tx, [changeMail("desfeita")], now)
    throw new Error("rolled back")
  })
  await expect(failing).rejects.toThrow("rolled back")
  await send()
  expect(await outbox()).toEqual([])
})

test("a failing mail server is retried with back-off until it accepts the mail", async () => {
  await enqueue(changeMail("teimosa"))
  const { mailer, ids } = scripted((attempt) => (attempt < 4 ? "failed" : "sent"))
  const waits: number[] = []
  for (let round = 0; round < 3; round++) {
    await send(mailer)
    const [row] = await rows()
    waits.push(((row?.send_after.getTime() ?? 0) - now.getTime()) / 1000)
    await send(mailer)
    expect(ids).toHaveLength(round + 1)
    now = secondsAfter(now, waits.at(-1) ?? 0)
  }
  expect(waits).toEqual([5, 10, 20])
  await send(mailer)
  await send(mailer)
  expect(ids).toHaveLength(4)
  expect(await rows()).toMatchObject([{ sent_at: now, last_error: null }])
})

test("a link that nobody can use any more is not sent", async () => {
  await enqueue(resetMail("velho"))
  now = secondsAfter(now, 1_800)
  const { mailer, ids } = scripted(() => "sent")
  await send(mailer)
  expect(ids).toEqual([])
  expect(await rows()).toMatchObject([{ sent_at: null, given_up_at: now, last_error: "too late" }])
  expect((await rows()).map((row) => row.content)).toEqual([{ kind: "reset_password" }])
})

test("an address that is refused for good is given up at once, with an alarm without personal data", async () => {
  await enqueue(resetMail("recusado"))
  const { mailer, ids } = scripted(() => "refused")
  await send(mailer)
  now = secondsAfter(now, 86_400)
  await send(mailer)
  expect(ids).toHaveLength(1)
  expect(await rows()).toMatchObject([{ given_up_at: expect.any(Date) }])
  expect((await rows()).map((row) => row.content)).toEqual([{ kind: "reset_password" }])
  expect(logged).toContain('"alarm":"mail_given_up"')
  expect(logged).not.toMatch(/@|recusado/)
})

test("after a crash while sending, another worker sends the mail once the lease expires", async () => {
  await enqueue(changeMail("orfa"))
  const dying: Mailer = { send: () => Promise.reject(new Error("killed")), stop: async () => undefined }
  await expect(send(dying)).rejects.toThrow("killed")
  await send()
  expect(await outbox()).toEqual([])
  now = secondsAfter(now, 301)
  await send()
  expect(await outbox()).toHaveLength(1)
})

test("a crash after the outbox took the mail and before the record shows it once", async () => {
  await enqueue(changeMail("entre"))
  const real = createOutboxMailer({ db: database.db, clock })
  const dying: Mailer = {
    stop: real.stop,
    async send(mails) {
      await real.send(mails)
      throw new Error("killed")
    },
  }
  await expect(send(dying)).rejects.toThrow("killed")
  now = secondsAfter(now, 301)
  await send()
  expect(await outbox()).toHaveLength(1)
})

test("the name and the support address come from the settings at the time of sending", async () => {
  await enqueue(changeMail("marca"))
  const setting = { type: "string", category: "general", description: "", is_public: true } as const
  await database.db
    .insertInto("settings")
    .values([
      { ...setting, key: "PLATFORM_NAME", value: JSON.stringify("Pix & Cia <b>") },
      { ...setting, key: "SUPPORT_EMAIL", value: JSON.stringify("ajuda@pix.example") },
    ])
    .execute()
  await send()
  const [mail] = await outbox()
  expect(mail?.html).toContain("Pix &amp; Cia &lt;b&gt;")
  expect(mail?.text).toContain("Dúvidas? Escreva para ajuda@pix.example")
})

test("mails wait for an SMTP server that is down, and each arrives once when it is back", async () => {
  const first = await startMailServer()
  const mailer = createSmtpMailer(`smtp://127.0.0.1:${first.port}`, { insistsOnTls: true })
  await enqueue(changeMail("antes"))
  await send(mailer)
  expect(first.received).toHaveLength(1)
  await first.stop()

  await enqueue(...Array.from({ length: 7 }, (_, i) => changeMail(`durante-${i}`)))
  await send(mailer)
  expect((await rows()).filter((row) => row.sent_at === null)).toHaveLength(7)
  const second = await startMailServer(first.port)
  try {
    now = secondsAfter(now, 5)
    await Promise.all([send(mailer), send(mailer)])
    await send(mailer)
    expect(second.received.map(({ to }) => to)).toEqual(Array.from({ length: 7 }, () => [`${sellerId}@exemplo.com`]))
    expect((await rows()).filter((row) => row.sent_at === null)).toEqual([])
    expect(logged).not.toContain("@")
  } finally {
    await mailer.stop()
    await second.stop()
  }
})
