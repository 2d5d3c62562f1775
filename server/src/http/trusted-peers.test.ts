import { expect, test } from "vitest"
import { trustedPeers } from "./hosts.ts"

test.each([
  [["loopback"], ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"], ["10.0.0.1", "128.0.0.1", "::2"]],
  [["uniquelocal"], ["10.1.2.3", "172.31.0.1", "192.168.9.9", "fd00::5"], ["172.32.0.1", "11.0.0.1", "fe80::1"]],
  [["linklocal"], ["169.254.3.4", "fe80::1"], ["169.253.0.1"]],
  [
    ["203.0.113.5", "10.2.0.0/16"],
    ["203.0.113.5", "10.2.9.9"],
    ["203.0.113.6", "10.3.0.1"],
  ],
  [[], [], ["127.0.0.1", "::1"]],
])("of the proxies %j, %j are trusted and %j not", (proxies, trusted, others) => {
  const isTrusted = trustedPeers(proxies)
  expect(trusted.map((address) => isTrusted(address))).toEqual(trusted.map(() => true))
  expect(others.map((address) => isTrusted(address))).toEqual(others.map(() => false))
  expect(isTrusted(undefined)).toBe(false)
})
