import { verifierKey } from "@tilinta/contract/proofs/checkpoint"
import type { FastifyInstance } from "fastify"
import { limitAddresses } from "#http/rate-limits"
import { DomainError } from "#kit/errors"
import { listReceiptKeys } from "#money/receipts/receipt"
import type { HttpDeps } from "#start/deps"
import { logNameOf } from "./block.ts"
import { readCheckpoint, readConsistencyOf } from "./seal.ts"

const perAddress = { burst: 600, perSecond: 50, keys: 20_000 }

/** Public keys, for everybody who checks signatures of the platform. */
export function wellKnownRoutes(
  scope: FastifyInstance,
  deps: Pick<HttpDeps, "db" | "clock" | "signingKeys" | "publicUrl">,
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

  scope.get("/.well-known/tilinta/checkpoint", async (_request, reply) => {
    const note = await readCheckpoint(deps.db)
    if (note === null) throw new DomainError("not_found")
    return reply.type("text/plain; charset=utf-8").send(note)
  })

  scope.get<{ Querystring: { from?: unknown; to?: unknown } }>(
    "/.well-known/tilinta/consistency",
    async ({ query }, reply) => {
      const proof = await readConsistencyOf(deps.db, { smaller: sizeOf(query.from), size: sizeOf(query.to) })
      return reply.type("text/plain; charset=utf-8").send(proof.map((hash) => `${hash.toString("base64")}\n`).join(""))
    },
  )
}

function sizeOf(sent: unknown): number {
  if (typeof sent !== "string" || !/^(?:0|[1-9]\d{0,14})$/.test(sent)) throw new DomainError("not_found")
  return Number(sent)
}
