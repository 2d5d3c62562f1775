import { isIP } from "node:net"
import { array, assert, asyncProperty, constantFrom, option, string } from "fast-check"
import Fastify from "fastify"
import { afterAll, expect, test } from "vitest"
import { clientAddress, readCallers, trustedPeers } from "./hosts.ts"

const isTrusted = trustedPeers(["127.0.0.1", "10.0.0.0/8", "fd00::/8"])
const addresses = ["127.0.0.1", "10.1.2.3", "203.0.113.7", "2001:db8::1", "", " ", "\t10.9.9.9 "]

const app = Fastify({ trustProxy: isTrusted })
app.get("/", async ({ ip, raw }) => ({ theirs: ip, ours: clientAddress(raw, isTrusted) }))
const site = Fastify({ trustProxy: isTrusted })
readCallers(site, isTrusted)
site.get("/", async ({ ip }) => ({ ip }))

afterAll(() => Promise.all([app.close(), site.close()]))

const toldOf = (hops: readonly string[] | undefined) =>
  hops === undefined ? {} : { "x-forwarded-for": hops.join(",") }

test("whatever proxies and callers write, the client is whom Fastify takes for it", async () => {
  const written = option(array(constantFrom(...addresses), { maxLength: 4 }), { nil: undefined })
  await assert(
    asyncProperty(written, constantFrom("127.0.0.1", "203.0.113.9"), async (hops, remoteAddress) => {
      const { theirs, ours } = (await app.inject({ url: "/", headers: toldOf(hops), remoteAddress })).json()
      expect(ours).toBe(theirs)
    }),
  )
})

const seenAs = async (told: string, remoteAddress = "127.0.0.1") =>
  (await site.inject({ url: "/", headers: { "x-forwarded-for": told }, remoteAddress })).json().ip

test.each([
  ["Azure's gateway", "203.0.113.7:51234", "203.0.113.7"],
  ["IIS with IPv6", "[2001:db8::9]:1000", "2001:db8::9"],
  ["brackets alone", "[2001:db8::9]", "2001:db8::9"],
  ["quotes, as in Forwarded", '"[2001:db8::9]:1000"', "2001:db8::9"],
  ["quoted IPv4", '"203.0.113.7:80"', "203.0.113.7"],
  ["an IPv4 address inside IPv6", "[::ffff:203.0.113.7]:80", "::ffff:203.0.113.7"],
  ["two proxies that both write ports", "203.0.113.7:4000, 10.0.0.5:4001", "203.0.113.7"],
  ["a proxy with IPv6 and a port", "203.0.113.7, [fd00::5]:4001", "203.0.113.7"],
  ["what the caller wrote before it", "1.2.3.4:1, 203.0.113.7:4000", "203.0.113.7"],
  ["a proxy that doesn't know", "203.0.113.7, unknown", "127.0.0.1"],
  ["a proxy behind another that doesn't know", "203.0.113.7, unknown, 10.0.0.5", "10.0.0.5"],
  ["a script", "<script>alert(1)</script>", "127.0.0.1"],
  ["a port that is none", "203.0.113.7:x", "127.0.0.1"],
  ["a port that is too long", "203.0.113.7:123456", "127.0.0.1"],
  ["an address that is too long", "203.0.113.7.9:80", "127.0.0.1"],
  ["octal numbers", "0203.0.113.7", "127.0.0.1"],
  ["a zone", "fe80::1%eth0", "127.0.0.1"],
  ["a name", "localhost:80", "127.0.0.1"],
  ["an open bracket", "[2001:db8::9:1000", "127.0.0.1"],
])("%s: %s is %s", async (_name, told, client) => {
  expect(await seenAs(told)).toBe(client)
  expect(await seenAs(told, "198.51.100.3")).toBe("198.51.100.3")
})

test("a client is always an address, whatever stands there", async () => {
  const part = constantFrom("[", "]", ":", '"', "%", " ", "1", "203.0.113.7", "::1", "a", "::ffff:", ".", "<b>")
  const text = array(part, { maxLength: 6 }).map((parts) => parts.join(""))
  await assert(
    asyncProperty(array(text, { maxLength: 3 }), string({ maxLength: 8 }), async (hops, other) => {
      const plain = other.replace(/[^ -~]/g, "")
      expect(isIP(await seenAs([...hops, plain].join(",")))).toBeGreaterThan(0)
    }),
  )
})
