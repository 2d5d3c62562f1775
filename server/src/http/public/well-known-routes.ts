import { verifierKey } from "@tilinta/contract/proofs/verifier-key"
import type { FastifyInstance } from "fastify"
import { listReceiptKeys } from "#domain/money/receipts/verify-receipt"
import type { HttpDeps } from "#http/deps"
import { limitAddresses } from "./limit-addresses.ts"

const perAddress = { burst: 600, perSecond: 50, keys: 20_000 }

/** Public keys, for everybody who checks signatures of the platform. */
export function wellKnownRoutes(
  scope: FastifyInstance,
  deps: Pick<HttpDeps, "clock" | "signingKeys" | "publicUrl">,
): void {
  limitAddresses(scope, deps, perAddress)
  scope.addHook("onRequest", async (_request, reply) => {
    reply.headers({ "cache-control": "no-cache" })
  })

  scope.get("/.well-known/tilinta/receipts.json", async () => ({ keys: await listReceiptKeys(deps.signingKeys) }))

  scope.get("/.well-known/tilinta/checkpoint.pub", async (_request, reply) => {
    const keys = await deps.signingKeys.listPublicKeys("checkpoint")
    const signingFirst = keys.toSorted((a, b) => Number(a.retiredAt !== null) - Number(b.retiredAt !== null))
    const name = logNameOf(deps.publicUrl)
    const lines = await Promise.all(signingFirst.map(({ publicKey }) => verifierKey(name, publicKey)))
    return reply.type("text/plain; charset=utf-8").send(lines.map((line) => `${line}\n`).join(""))
  })
}

/** The origin of the log: an address without its scheme, as C2SP's checkpoints name it. */
function logNameOf(publicUrl: string): string {
  return `${new URL(publicUrl).host}/tilinta`
}
