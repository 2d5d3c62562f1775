import { useMutation, useQueryClient } from "@tanstack/react-query"
import { detailOf, messageOf } from "#api/api-error.ts"
import { toast } from "#ui/toast.ts"
import { adminTexts } from "../admin-texts.ts"
import { act, type SystemAction, systemQuery } from "./system-data.ts"

export interface SystemActions {
  start(action: SystemAction): void
  isBusy: boolean
}

/** Reports the outcome and refreshes what it changed. */
export function useSystemAction(): SystemActions {
  const queryClient = useQueryClient()
  const action = useMutation({
    mutationFn: act,
    onSuccess: (message) => toast.success(message),
    onError: (error) => toast.error(messageOf(error, adminTexts.systemActionFailed), detailOf(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: systemQuery.queryKey }),
  })
  return { start: (wish) => action.mutate(wish), isBusy: action.isPending }
}
