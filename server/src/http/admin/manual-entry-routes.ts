import {
  approveManualEntryEndpoint,
  createManualEntryEndpoint,
  listManualEntriesEndpoint,
  type ManualEntryView,
  refuseManualEntryEndpoint,
} from "@tilinta/contract/api/manual-entries-endpoints"
import { centsFromReais, reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { FastifyInstance } from "fastify"
import { approveEntry } from "#domain/money/manual-entries/approve-entry"
import { createEntry } from "#domain/money/manual-entries/create-entry"
import { listEntries, type NamedEntry, nameEntries } from "#domain/money/manual-entries/list-entries"
import type { ManualEntry } from "#domain/money/manual-entries/manual-entry"
import { refuseEntry } from "#domain/money/manual-entries/refuse-entry"
import type { UserName } from "#domain/people/users/user-names"
import type { HttpDeps } from "#http/deps"
import { idempotencyKeyOf } from "#http/idempotency-key"
import { serveEndpoint } from "#http/serve-endpoint"
import { invariant } from "#kit/invariant"
import { adminOf } from "./require-admin.ts"

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
