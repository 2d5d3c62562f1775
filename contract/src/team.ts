import * as z from "zod/mini"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import { accountEmail, id, isoDateTime, success } from "./fields.ts"
import * as heads from "./heads.ts"
import { ownShopView } from "./users.ts"
import { ownerAlone, type ShopRole, shopRoles } from "./vocabulary/team.ts"

const tag = "Equipe"

const role = z.enum(shopRoles, "Escolha o papel: dono, gerente, contador ou caixa.")

export const memberView = z.object({
  _id: id,
  name: z.string(),
  email: z.string(),
  role: z.enum(shopRoles),
  /** The person whose account the shop is: they never leave it. */
  isFounder: z.boolean(),
  /** False while an administrator keeps them from signing in. */
  active: z.boolean(),
  since: isoDateTime,
  /** To about five minutes, in whichever shop; null without an open session. */
  lastSeenAt: z.nullable(isoDateTime),
})
export type MemberView = z.infer<typeof memberView>

export const teamInvitationView = z.object({
  _id: id,
  email: z.string(),
  role: z.enum(shopRoles),
  /** Only in the answer that made it: it is stored nowhere. */
  link: z.nullable(z.string()),
  expiresAt: isoDateTime,
})
export type TeamInvitationView = z.infer<typeof teamInvitationView>

const ofShop = z.object({ id })
const ofMember = z.object({ id, memberId: id })

export const listMembersEndpoint = defineEndpoint("listMembers", heads.listMembers, {
  audience: "seller",
  roles: ownerAlone,
  whileFrozen: true,
  tag,
  summary: "As pessoas da equipe, o dono da conta primeiro",
  params: ofShop,
  reply: { status: 200, schema: success(z.object({ members: z.array(memberView) })) },
})

export const changeMemberEndpoint = defineEndpoint("changeMember", heads.changeMember, {
  audience: "seller",
  roles: ownerAlone,
  stepUp: "by_data",
  tag,
  summary: "Muda o papel de uma pessoa da equipe. Um papel que pode mais pede confirmação",
  params: ofMember,
  body: z.object({ role }),
  reply: { status: 200, schema: success(z.object({ member: memberView })) },
})

export const removeMemberEndpoint = defineEndpoint("removeMember", heads.removeMember, {
  audience: "seller",
  roles: ownerAlone,
  orOneself: true,
  tag,
  summary:
    "Remove uma pessoa da equipe: o acesso dela à loja termina na hora; as chaves de API e os segredos dos webhooks, que são da loja, continuam valendo. Quem não é dono só remove a si mesmo",
  params: ofMember,
  reply: { status: 204 },
})

export const inviteMemberEndpoint = defineEndpoint("inviteMember", heads.inviteMember, {
  audience: "seller",
  roles: ownerAlone,
  stepUp: "by_data",
  tag,
  summary:
    "Convida um e-mail para a equipe, por e-mail e por um link que vale 7 dias e uma vez. Outro convite ao mesmo e-mail substitui o anterior. Convidar um dono pede confirmação",
  params: ofShop,
  body: z.object({ email: z.prefault(accountEmail("Informe o e-mail."), ""), role }),
  reply: { status: 201, schema: success(z.object({ invitation: teamInvitationView })) },
})

export const listTeamInvitationsEndpoint = defineEndpoint("listTeamInvitations", heads.listTeamInvitations, {
  audience: "seller",
  roles: ownerAlone,
  whileFrozen: true,
  tag,
  summary: "Os convites que ainda valem, sem os links",
  params: ofShop,
  reply: { status: 200, schema: success(z.object({ invitations: z.array(teamInvitationView) })) },
})

export const revokeTeamInvitationEndpoint = defineEndpoint("revokeTeamInvitation", heads.revokeTeamInvitation, {
  audience: "seller",
  roles: ownerAlone,
  tag,
  summary: "Cancela um convite: o link não vale mais",
  params: z.object({ id, invitationId: id }),
  reply: { status: 204 },
})

const ofInvitation = z.object({ token: z.string() })

export const getTeamInvitationEndpoint = defineEndpoint("getTeamInvitation", heads.getTeamInvitation, {
  audience: "public",
  tag,
  summary: "O que o link de um convite oferece, sem login",
  params: ofInvitation,
  reply: {
    status: 200,
    schema: success(
      z.object({
        invitation: z.object({
          shop: z.string(),
          role: z.enum(shopRoles),
          /** Masked, for the person who knows it. */
          email: z.string(),
          expiresAt: isoDateTime,
        }),
      }),
    ),
  },
})

export const acceptTeamInvitationEndpoint = defineEndpoint("acceptTeamInvitation", heads.acceptTeamInvitation, {
  audience: "seller",
  roles: "person",
  tag,
  summary: "Aceita um convite, com a conta que tem o e-mail convidado",
  params: ofInvitation,
  reply: {
    status: 200,
    schema: success(z.object({ shop: ownShopView })),
  },
})

const shopId = "018f6b1c-2d3e-7a4b-8c5d-6e7f80910a11"
const memberId = "018f6b1c-2d3e-7a4b-8c5d-6e7f80910a12"
const invitationId = "018f6b1c-2d3e-7a4b-8c5d-6e7f80910a13"
const token = "3q2-7wABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijk"
const cashier: ShopRole = "cashier"

const exampleMember: MemberView = {
  _id: memberId,
  name: "Bia Reis",
  email: "bia@docesdaana.example",
  role: cashier,
  isFounder: false,
  active: true,
  since: "2026-11-20T12:00:00.000Z",
  lastSeenAt: "2026-11-27T12:00:00.000Z",
}
const exampleInvitation: TeamInvitationView = {
  _id: invitationId,
  email: "caio@docesdaana.example",
  role: cashier,
  link: `https://pagar.example/convite/${token}`,
  expiresAt: "2026-12-04T12:00:00.000Z",
}

export const teamExamples = [
  defineExample(listMembersEndpoint, { params: { id: shopId }, data: { members: [exampleMember] }, failures: [] }),
  defineExample(changeMemberEndpoint, {
    params: { id: shopId, memberId },
    body: { role: "manager" },
    data: { member: { ...exampleMember, role: "manager" } },
    failures: ["step_up_required", "member_not_found", "last_owner", "own_role"],
  }),
  defineExample(inviteMemberEndpoint, {
    params: { id: shopId },
    body: { email: exampleInvitation.email, role: cashier },
    data: { invitation: exampleInvitation },
    failures: ["step_up_required", "already_member", "too_many_members", "too_many_requests"],
  }),
  defineExample(listTeamInvitationsEndpoint, {
    params: { id: shopId },
    data: { invitations: [{ ...exampleInvitation, link: null }] },
    failures: [],
  }),
  defineExample(revokeTeamInvitationEndpoint, {
    params: { id: shopId, invitationId },
    failures: ["team_invitation_not_found"],
  }),
  defineExample(getTeamInvitationEndpoint, {
    params: { token },
    data: {
      invitation: {
        shop: "Doces da Ana",
        role: cashier,
        email: "ca•••@docesdaana.example",
        expiresAt: exampleInvitation.expiresAt,
      },
    },
    failures: ["team_invitation_not_found"],
  }),
  defineExample(acceptTeamInvitationEndpoint, {
    params: { token },
    data: { shop: { _id: shopId, name: "Doces da Ana", role: cashier } },
    failures: [
      "team_invitation_not_found",
      "team_invitation_of_another",
      "email_not_confirmed",
      "already_member",
      "administrator_in_no_team",
    ],
  }),
  defineExample(removeMemberEndpoint, {
    params: { id: shopId, memberId },
    failures: ["member_not_found", "last_owner"],
  }),
]
