import {
  approveManualEntryEndpoint,
  createManualEntryEndpoint,
  listManualEntriesEndpoint,
  type ManualEntryView,
  refuseManualEntryEndpoint,
} from "@tilinta/contract/manual-entries"
import { centsFromReais, reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { FastifyInstance } from "fastify"
import { serveEndpoint } from "#http/serve-endpoint"
import { invariant } from "#kit/errors"
import { adminOf, idempotencyKeyOf } from "#people/sessions/caller"
import type { UserName } from "#people/users/reads"
import type { HttpDeps } from "#start/deps"
import { approveEntry, createEntry, listEntries, type NamedEntry, nameEntries, refuseEntry } from "./entries.ts"
import type { ManualEntry } from "./rules.ts"

export function manualEntryRoutes(
  app: FastifyInstance,
  deps: Pick<HttpDeps, "db" | "clock" | "psp" | "nameUsers">,
): void {
  const described = async (entry: ManualEntry) => {
    const [named] = await nameEntries(deps, [entry])
    invariant(named !== undefined, "one entry in, one out")
    return { entry: toManualEntryView(named) }
  }

  serveEndpoint(app, listManualEntriesEndpoint, async ({ query }) => {
    const { entries, next } = await listEntries(deps, { after: query.after ?? null, limit: query.limit })
    return { entries: entries.map(toManualEntryView), next }
  })

  serveEndpoint(app, createManualEntryEndpoint, async ({ body, request }) => {
    const { kind, reason } = body
    const entry = await createEntry(deps, {
      admin: adminOf(request),
      idempotencyKey: idempotencyKeyOf(request),
      provider: deps.psp.name,
      kind,
      reason,
      amountCents: centsFromReais(body.amount),
      sellerId: body.sellerId || null,
      direction: body.direction ?? null,
      reference: body.reference || null,
      reverses: body.reverses || null,
    })
    return described(entry)
  })

  serveEndpoint(app, approveManualEntryEndpoint, async ({ params, request }) =>
    described(await approveEntry(deps, { id: params.id, admin: adminOf(request) })),
  )

  serveEndpoint(app, refuseManualEntryEndpoint, async ({ params, request }) =>
    described(await refuseEntry(deps, { id: params.id, admin: adminOf(request) })),
  )
}

function toManualEntryView(entry: NamedEntry): ManualEntryView {
  const {
    id,
    kind,
    direction,
    amountCents,
    reason,
    reference,
    reverses,
    createdAt,
    approvedBy,
    bookedAt,
    refusedBy,
    refusedAt,
  } = entry
  return {
    _id: id,
    kind,
    direction,
    amount: reaisFromCents(amountCents),
    seller: personOf(entry.sellerId, entry.seller),
    reason,
    reference,
    reverses,
    createdBy: { _id: entry.createdBy, name: entry.creator.name },
    createdAt: createdAt.toISOString(),
    approvedBy: personOf(approvedBy, entry.approver),
    bookedAt: bookedAt?.toISOString() ?? null,
    refusedBy: personOf(refusedBy, entry.refuser),
    refusedAt: refusedAt?.toISOString() ?? null,
    alone: bookedAt !== null && approvedBy === null,
  }
}

function personOf(id: string | null, user: UserName | null) {
  return id === null || user === null ? null : { _id: id, name: user.name }
}
