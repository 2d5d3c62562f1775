import { queryOptions } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import { call } from "#api/client.ts"

const teamKey = ["seller", "team"]

export const teamQuery = (shopId: string) =>
  queryOptions({
    queryKey: [...teamKey, shopId],
    queryFn: async ({ signal }) => {
      const of = { params: { id: shopId }, signal }
      const [members, invitations] = await Promise.all([
        call(heads.listMembers, of),
        call(heads.listTeamInvitations, of),
      ])
      return { members: members.data.members, invitations: invitations.data.invitations }
    },
  })
