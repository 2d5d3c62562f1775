import {
  acceptTeamInvitationEndpoint,
  changeMemberEndpoint,
  getTeamInvitationEndpoint,
  inviteMemberEndpoint,
  listMembersEndpoint,
  listTeamInvitationsEndpoint,
  type MemberView,
  removeMemberEndpoint,
  revokeTeamInvitationEndpoint,
  type TeamInvitationView,
} from "@tilinta/contract/team"
import type { FastifyInstance } from "fastify"
import type { Db } from "#db/transaction"
import { serveEndpoint } from "#http/serve-endpoint"
import type { Clock } from "#kit/clock"
import { maskedEmail } from "#kit/log"
import type { Protection } from "#kit/request-scope"
import { proofOf } from "#people/second-factors/guard"
import { actorOf, sellerOf } from "#people/sessions/caller"
import { acceptInvitation, getInvitation, inviteMember, revokeInvitation } from "./invite.ts"
import { changeRole, removeMember } from "./members.ts"
import { listMembers, listTeamInvitations, readShopName } from "./reads.ts"
import type { Member, TeamInvitation } from "./rules.ts"

interface Deps {
  db: Db
  clock: Clock
  protection: Protection
  publicUrl: string
}

export function teamRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, publicUrl } = deps
  serveEndpoint(app, listMembersEndpoint, async ({ request }) => ({
    members: (await listMembers(db, sellerOf(request).id)).map(toMemberView),
  }))

  serveEndpoint(app, changeMemberEndpoint, async ({ params, body, request }) => {
    const of = { memberId: params.memberId, by: actorOf(request) }
    return { member: toMemberView(await changeRole(deps, { ...of, role: body.role, proof: proofOf(request, deps) })) }
  })

  serveEndpoint(app, removeMemberEndpoint, async ({ params, request }) => {
    await removeMember(deps, { memberId: params.memberId, by: actorOf(request) })
  })

  serveEndpoint(app, inviteMemberEndpoint, async ({ body, request }) => {
    const { email, role } = body
    const { token, ...made } = await inviteMember(deps, {
      by: actorOf(request),
      email,
      role,
      proof: proofOf(request, deps),
    })
    return { invitation: toInvitationView(made, `${publicUrl}/convite/${token}`) }
  })

  serveEndpoint(app, listTeamInvitationsEndpoint, async ({ request }) => {
    const invitations = await listTeamInvitations(db, sellerOf(request).id, clock.now())
    return { invitations: invitations.map((each) => toInvitationView(each, null)) }
  })

  serveEndpoint(app, revokeTeamInvitationEndpoint, async ({ params, request }) => {
    await revokeInvitation(deps, { id: params.invitationId, by: actorOf(request) })
  })

  serveEndpoint(app, acceptTeamInvitationEndpoint, async ({ params, request }) => {
    const { id, name, role } = await acceptInvitation(deps, { token: params.token, person: actorOf(request) })
    return { shop: { _id: id, name, role } }
  })
}

export function publicTeamRoutes(app: FastifyInstance, { db, clock }: Pick<Deps, "db" | "clock">): void {
  serveEndpoint(app, getTeamInvitationEndpoint, async ({ params }) => {
    const { shopId, role, email, expiresAt } = await getInvitation(db, params.token, clock.now())
    const shop = await readShopName(db, shopId)
    return { invitation: { shop, role, email: maskedEmail(email), expiresAt: expiresAt.toISOString() } }
  })
}

function toMemberView({ id, name, email, role, isFounder, isActive, since, lastSeenAt }: Member): MemberView {
  const moments = { since: since.toISOString(), lastSeenAt: lastSeenAt?.toISOString() ?? null }
  return { _id: id, name, email, role, isFounder, active: isActive, ...moments }
}

function toInvitationView({ id, email, role, expiresAt }: TeamInvitation, link: string | null): TeamInvitationView {
  return { _id: id, email, role, link, expiresAt: expiresAt.toISOString() }
}
