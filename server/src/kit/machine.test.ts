import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createServer } from "node:tls"
import { expect, test } from "vitest"
import { makeIdentity } from "../../test-support/tls-files.ts"
import { readCertificateEnd, readDiskSpace } from "./machine.ts"

test("the disk of a folder that doesn't exist yet is its parent's", async () => {
  const disk = await readDiskSpace(join(tmpdir(), "not-yet", "made"))
  expect(disk?.freeBytes).toBeGreaterThan(0)
  expect(disk?.totalBytes).toBeGreaterThanOrEqual(disk?.freeBytes ?? 0)
})

test("without TLS, or where nobody speaks it, a certificate has no end", async () => {
  expect(await readCertificateEnd("http://127.0.0.1:1")).toBeNull()
  expect(await readCertificateEnd("https://127.0.0.1:1")).toBeNull()
})

test("a certificate's end is read off the handshake, whoever signed it", async () => {
  const server = createServer(makeIdentity({ name: "localhost", days: 20 }))
  server.on("tlsClientError", () => undefined)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const endsAt = await readCertificateEnd(`https://127.0.0.1:${port}`)
  await new Promise((resolve) => server.close(resolve))
  expect(((endsAt?.getTime() ?? 0) - Date.now()) / 86_400_000).toBeCloseTo(20, 0)
})
