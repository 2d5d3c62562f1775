import { expect, test } from "vitest"
import { networkOf } from "./outside.ts"

test.each([
  ["198.51.100.7", "198.51.100.7"],
  ["::ffff:198.51.100.7", "198.51.100.7"],
  ["::FFFF:c633:6407", "198.51.100.7"],
  ["2001:db8:1:2:aaaa:bbbb:cccc:dddd", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::1", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:db8:0:0:1::", "2001:db8:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["64:ff9b::198.51.100.7", "64:ff9b:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["unknown", "unknown"],
  ["", ""],
])("%s counts as %s", (address, network) => {
  expect(networkOf(address)).toBe(network)
})
