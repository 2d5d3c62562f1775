import { array, assert, asyncProperty, constantFrom, option } from "fast-check"
import Fastify from "fastify"
import { expect, test } from "vitest"
import { clientAddress, trustedPeers } from "./hosts.ts"

const isTrusted = trustedPeers(["127.0.0.1", "10.0.0.0/8"])
const addresses = ["127.0.0.1", "10.1.2.3", "203.0.113.7", "2001:db8::1", "unknown", "", " ", "\t10.9.9.9 "]

test("whatever proxies and callers write, the client is whom Fastify takes for it", async () => {
  const app = Fastify({ trustProxy: isTrusted })
  app.get("/", async ({ ip, raw }) => ({ theirs: ip, ours: clientAddress(raw, isTrusted) }))
  const written = option(array(constantFrom(...addresses), { maxLength: 4 }), { nil: undefined })
  await assert(
    asyncProperty(written, constantFrom("127.0.0.1", "203.0.113.9"), async (hops, remoteAddress) => {
      const headers = hops === undefined ? {} : { "x-forwarded-for": hops.join(",") }
      const { theirs, ours } = (await app.inject({ url: "/", headers, remoteAddress })).json()
      expect(ours).toBe(theirs)
    }),
  )
  await app.close()
})
