import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { SMTPServer } from "smtp-server"

interface Received {
  from: string
  to: string[]
  source: string
}

interface MailServer {
  port: number
  received: Received[]
  stop(): Promise<void>
}

/** A local mail server that refuses unknown recipients. */
export async function startMailServer(port = 0): Promise<MailServer> {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    closeTimeout: 50,
    onAuth: ({ username, password }, _session, done) => {
      if (username === "loja" && password === "s3nh@") done(null, { user: username })
      else done(new Error("wrong password"))
    },
    onRcptTo: ({ address }, _session, done) => {
      if (address.startsWith("ninguem@")) done(Object.assign(new Error("no such user"), { responseCode: 550 }))
      else if (address.startsWith("cheia@")) done(Object.assign(new Error("try later"), { responseCode: 452 }))
      else done()
    },
    onData: (stream, { envelope }, done) => {
      const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address
      const to = envelope.rcptTo.map(({ address }) => address)
      const keep = async () => {
        received.push({ from, to, source: await text(stream) })
        done()
      }
      void keep()
    },
  })
  server.on("error", () => undefined)
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= new Promise<void>((resolve) => server.close(resolve)))
  return { port: (server.server.address() as AddressInfo).port, received, stop }
}
