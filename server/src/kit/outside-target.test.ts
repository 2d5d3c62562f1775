import { describe, expect, test } from "vitest"
import { type OutsideAccess, resolveTarget, type TargetProblem, TargetRefused } from "./outside.ts"

const nobody = async () => []
const real: OutsideAccess = { resolve: nobody, allowsLocal: false }
const sandbox: OutsideAccess = { resolve: nobody, allowsLocal: true }

async function refusalOf(access: OutsideAccess, url: string): Promise<TargetProblem | null> {
  try {
    await resolveTarget(access, url)
    return null
  } catch (error) {
    if (error instanceof TargetRefused) return error.problem
    throw error
  }
}

/** Hosts that lead inside, in every spelling that a URL allows. */
const loopbackHosts = [
  ...["127.0.0.1", "127.1", "127.0.1", "127.255.255.254", "2130706433", "017700000001", "0x7f000001", "0x7f.1"],
  ...["0177.0.0.1", "0x7f.0x0.0x0.0x1", "127.0.0.1.", "①②⑦.0.0.1", "127。0。0。1", "%31%32%37.0.0.1"],
  ...["localhost", "LOCALHOST", "localhost.", "loja.localhost", "[::1]", "[0:0:0:0:0:0:0:1]", "[0000::0001]"],
]
const insideHosts = [
  ...["0.0.0.0", "0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "012.0.0.1", "167772161", "0xa000001"],
  ...["172.16.0.1", "172.31.255.255", "192.168.0.1", "192.168.257", "3232235521", "0xC0A80001", "0300.0250.0.1"],
  ...["169.254.169.254", "169.254.0.1", "2852039166", "0xA9FEA9FE", "0251.0376.0251.0376", "169.254.43518"],
  ...["100.64.0.1", "100.127.255.255", "192.0.0.1", "192.0.0.192", "192.0.2.1", "198.51.100.7", "203.0.113.9"],
  ...["198.18.0.1", "198.19.255.255", "192.88.99.1", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255"],
  ...["[::]", "[fe80::1]", "[febf::1]", "[fec0::1]", "[fc00::1]", "[fd00:ec2::254]", "[fd12:3456::1]", "[ff02::1]"],
  ...["[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:10.0.0.1]", "[::ffff:169.254.169.254]", "[::ffff:8.8.8.8]"],
  ...["[::127.0.0.1]", "[::10.0.0.1]", "[::8.8.8.8]", "[::ffff:0:127.0.0.1]", "[64:ff9b::127.0.0.1]"],
  ...["[64:ff9b::a9fe:a9fe]", "[64:ff9b::8.8.8.8]", "[64:ff9b:1::10.0.0.1]", "[2002:7f00:1::]", "[2002:a00:1::1]"],
  ...["[2002:808:808::]", "[2001::1]", "[2001:0:4136:e378:8000:63bf:3fff:fdd2]", "[2001:db8::1]", "[3fff::1]"],
  ...["[100::1]", "[2001:2::1]", "[2001:10::1]", "[2001:20::1]", "[5f00::1]", "[4000::1]", "[e000::1]"],
]

describe("with real money", () => {
  test.each([...loopbackHosts, ...insideHosts])("%s is refused", async (host) => {
    expect(await refusalOf(real, `https://${host}/gancho`)).toBe("inside")
    expect(await refusalOf(real, `https://${host}:8443/gancho`)).toBe("inside")
  })

  test.each<[string, TargetProblem]>([
    ["http://loja.example/", "scheme"],
    ["ftp://loja.example/", "scheme"],
    ["file:///etc/passwd", "malformed"],
    ["gopher://loja.example/", "scheme"],
    ["javascript:alert(1)", "malformed"],
    ["https://", "malformed"],
    ["loja.example/gancho", "malformed"],
    ["//loja.example", "malformed"],
    ["", "malformed"],
    ["https://256.256.256.256/", "malformed"],
    ["https://[fe80::1%25eth0]/", "malformed"],
    ["https://ana:senha@loja.example/", "userinfo"],
    ["https://loja.example@127.0.0.1/", "userinfo"],
    ["https://8.8.8.8:0/", "port"],
    ["https://8.8.8.8:99999/", "malformed"],
    ["https://nada.example/", "unresolved"],
  ])("%s is refused", async (url, problem) => {
    expect(await refusalOf(real, url)).toBe(problem)
  })

  test.each([
    ...["8.8.8.8", "1.1.1.1", "100.63.255.255", "172.32.0.1", "192.167.0.1", "223.255.255.255"],
    ...["[2606:4700:4700::1111]", "[2a00:1450:4001::1]"],
  ])("%s is allowed", async (host) => {
    expect(await refusalOf(real, `https://${host}/gancho`)).toBeNull()
  })

  test("a name is allowed only if every one of its addresses is public", async () => {
    const of = (...addresses: string[]) =>
      refusalOf({ ...real, resolve: async () => addresses }, "https://loja.example")
    expect(await of("8.8.8.8", "2606:4700::1")).toBeNull()
    expect(await of("8.8.8.8", "10.0.0.1")).toBe("inside")
    expect(await of("2606:4700::1", "fd00:ec2::254")).toBe("inside")
    expect(await of("fe80::1%eth0")).toBe("inside")
    expect(await of("no address")).toBe("inside")
  })

  test("a name whose servers fail is not found", async () => {
    const resolve = async () => Promise.reject(new Error("SERVFAIL"))
    expect(await refusalOf({ ...real, resolve }, "https://loja.example")).toBe("unresolved")
  })
})

describe("in the sandbox", () => {
  test.each(loopbackHosts)("%s is allowed, without TLS too", async (host) => {
    expect(await refusalOf(sandbox, `http://${host}:4242/gancho`)).toBeNull()
  })

  test.each(insideHosts)("%s is refused all the same", async (host) => {
    expect(await refusalOf(sandbox, `http://${host}/gancho`)).toBe("inside")
  })

  test("our own ports are nobody's, by whatever name of this machine", async () => {
    const own = { ...sandbox, ownPorts: [4242, 80] }
    for (const host of loopbackHosts) {
      expect([host, await refusalOf(own, `http://${host}:4242/`)]).toEqual([host, "inside"])
      expect([host, await refusalOf(own, `http://${host}/`)]).toEqual([host, "inside"])
      expect([host, await refusalOf(own, `http://${host}:4243/`)]).toEqual([host, null])
    }
    const of = (url: string) => refusalOf({ ...own, resolve: async () => ["8.8.8.8", "127.0.0.1"] }, url)
    expect(await of("https://loja.example:4242/")).toBe("inside")
    expect(await of("https://loja.example/")).toBeNull()
    expect(await refusalOf({ ...own, allowsLocal: false }, "https://8.8.8.8:4242/")).toBeNull()
  })

  test("a name may lead to this machine, and nowhere else inside", async () => {
    const of = (address: string) => refusalOf({ ...sandbox, resolve: async () => [address] }, "http://loja.example")
    expect(await of("127.0.0.1")).toBeNull()
    expect(await of("::1")).toBeNull()
    expect(await of("::ffff:127.0.0.1")).toBe("inside")
    expect(await of("192.168.0.1")).toBe("inside")
  })
})
