import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { UserView } from "@tilinta/contract/api/users-endpoints"
import * as heads from "@tilinta/contract/heads"
import { detailOf, messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { toast } from "#ui/toast.ts"
import { adminTexts } from "../admin-texts.ts"
import { usersKey } from "./users-data.ts"

/** 'deleted' ends as 'inactive', like the button of that name. */
export interface StatusChange {
  user: UserView
  to: "active" | "inactive" | "deleted"
}

export function useChangeStatus(onSettled: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async ({ user: { _id: id }, to }: StatusChange) => {
      if (to !== "deleted")
        return (await call(heads.updateUser, { params: { id }, body: { active: to === "active" } })).data
      await call(heads.inactivateUser, { params: { id } })
      return undefined
    },
    onSuccess: (data, { user, to }) =>
      data?.pending === true
        ? toast.success(adminTexts.wishNoted, adminTexts.waitsForAnother)
        : toast.success(to === "active" ? adminTexts.userActivated : adminTexts.userInactivated, user.name),
    onError: (error, { to }) => {
      const failed = to === "deleted" ? adminTexts.userNotInactivated : adminTexts.userStatusNotChanged
      toast.error(messageOf(error, failed), detailOf(error))
    },
    onSettled: () => {
      onSettled()
      return queryClient.invalidateQueries({ queryKey: usersKey })
    },
  })
}
