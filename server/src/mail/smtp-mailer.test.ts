import { afterEach, expect, test } from "vitest"
import { startMailServer } from "../../test-support/mail-server.ts"
import type { Mailer, OutgoingMail } from "./mailer.ts"
import { createSmtpMailer } from "./smtp-mailer.ts"

const ends: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

async function startServer(port?: number) {
  const server = await startMailServer(port)
  ends.push(server.stop)
  return server
}

function mailerFor(port: number, login = "", { host = "127.0.0.1", insistsOnTls = false, query = "" } = {}): Mailer {
  const mailer = createSmtpMailer(`smtp://${login}${host}:${port}${query}`, { insistsOnTls })
  ends.push(() => mailer.stop())
  return mailer
}

const mail: OutgoingMail = {
  id: "0199aa00-0000-7000-8000-000000000001",
  to: "ana@loja.example",
  from: { name: "Tilinta", address: "suporte@pix.example" },
  replyTo: "suporte@pix.example",
  subject: "Redefinição de senha",
  text: "Olá, Ana.\n",
  html: "<p>Olá, Ana.</p>",
}

test("a mail arrives with sender, receiver, both texts and an id of its own", async () => {
  const server = await startServer()
  expect(await mailerFor(server.port).send([mail])).toEqual([{ isSent: true }])
  const [received, ...rest] = server.received
  expect(rest).toEqual([])
  expect(received).toMatchObject({ from: "suporte@pix.example", to: ["ana@loja.example"] })
  expect(received?.source).toContain("From: Tilinta <suporte@pix.example>")
  expect(received?.source).toContain("Message-ID: <0199aa00-0000-7000-8000-000000000001@pix.example>")
  expect(received?.source).toContain("Auto-Submitted: auto-generated")
  expect(received?.source).toContain("Content-Type: text/plain; charset=utf-8")
  expect(received?.source).toContain("Content-Type: text/html; charset=utf-8")
})

test.for([
  "Loja: Ação & Cia +1",
  '"Loja" <ladrao@x.example>, outro@y.example',
  "Loja; (comentário) \\",
  "a, b <c>",
  "Loja\\",
  "=?utf-8?Q?Banco?=",
])("a platform called %s sends from its own address alone", async (name) => {
  const server = await startServer()
  await mailerFor(server.port).send([{ ...mail, from: { name, address: "suporte@pix.example" } }])
  const [received] = server.received
  expect(received?.from).toBe("suporte@pix.example")
  const header = /^From: (.*?)\r\n(?![ \t])/ms.exec(received?.source ?? "")?.[1] ?? ""
  expect(header).toMatch(/^("([^"\\]|\\.)*"|(=\?UTF-8\?[QB]\?[^?\s]*\?=\s*)+) <suporte@pix\.example>$/)
})

test("answers go to the support, whoever sends; a mail that can be ended says so to mail programs", async () => {
  const server = await startServer()
  const from = { name: "Tilinta", address: "nao-responda@pix.example" }
  const unsubscribeUrl = "https://pix.example/emails/b3c2a6f8-2f49-4d7c-9a73-7f0f4c2b9f10"
  await mailerFor(server.port).send([mail, { ...mail, from, unsubscribeUrl }])
  const [plain, optional] = server.received.toSorted((a, b) => a.source.length - b.source.length)
  expect(plain?.source).not.toMatch(/^(reply-to|list-unsubscribe)/im)
  expect(optional?.source).toContain("Reply-To: suporte@pix.example")
  expect(optional?.source.replace(/\r\n /g, " ")).toContain(`List-Unsubscribe: <${unsubscribeUrl}>`)
  expect(optional?.source).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click")
})

test("with real money a server that offers no TLS gets no mail, whatever the address says, unless it is on this machine", async () => {
  const server = await startServer()
  const tryWith = async (overrides: object) => (await mailerFor(server.port, "", overrides).send([mail]))[0]
  for (const query of ["", "?ignoreTLS=true", "?requireTLS=false", "?secure=false&opportunisticTLS=true"]) {
    const refused = { isSent: false, problem: expect.stringContaining("TLS"), isFinal: false }
    expect(await tryWith({ host: "0.0.0.0", insistsOnTls: true, query })).toEqual(refused)
  }
  expect(server.received).toEqual([])
  expect(await tryWith({ host: "0.0.0.0" })).toEqual({ isSent: true })
  for (const host of ["127.0.0.1", "localhost"])
    expect(await tryWith({ host, insistsOnTls: true })).toEqual({ isSent: true })
})

test("no text of a mail becomes a header or a second receiver", async () => {
  const server = await startServer()
  const subject = "Oi\r\nBcc: atacante@mal.example\r\n\r\ncorpo"
  const from = { name: 'Loja" <x@y>\r\nBcc: atacante@mal.example', address: "suporte@pix.example" }
  const replyTo = "oi@docesdaana.example\r\nBcc: atacante@mal.example"
  await mailerFor(server.port).send([{ ...mail, subject, from, replyTo }])
  expect(server.received).toHaveLength(1)
  expect(server.received[0]?.to).toEqual(["ana@loja.example"])
  expect(server.received[0]?.source).not.toMatch(/^bcc:/im)
})

test("the address in SMTP_URL carries the login", async () => {
  const server = await startServer()
  const [right, wrong] = [mailerFor(server.port, "loja:s3nh%40@"), mailerFor(server.port, "loja:errada@")]
  expect(await right.send([mail])).toEqual([{ isSent: true }])
  expect(await wrong.send([mail])).toEqual([
    { isSent: false, problem: expect.stringContaining("EAUTH"), isFinal: false },
  ])
})

test("of several mails each has its own result, in their order, and only a refusal for good is final", async () => {
  const server = await startServer()
  const to = ["ninguem@loja.example", "ana@loja.example", "cheia@loja.example"]
  const deliveries = await mailerFor(server.port).send(to.map((address) => ({ ...mail, to: address })))
  expect(deliveries).toEqual([
    { isSent: false, problem: "EENVELOPE RCPT TO 550", isFinal: true },
    { isSent: true },
    { isSent: false, problem: "EENVELOPE RCPT TO 452", isFinal: false },
  ])
  expect(JSON.stringify(deliveries)).not.toContain("@")
})

test("a server that is down is no final failure, and takes the mail once it is back", async () => {
  const first = await startServer()
  const mailer = mailerFor(first.port)
  expect(await mailer.send([mail])).toEqual([{ isSent: true }])
  await first.stop()
  expect(await mailer.send([mail])).toEqual([{ isSent: false, problem: expect.any(String), isFinal: false }])
  const second = await startServer(first.port)
  expect(await mailer.send([mail])).toEqual([{ isSent: true }])
  expect(second.received).toHaveLength(1)
})
