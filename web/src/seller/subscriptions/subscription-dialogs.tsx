import { zodResolver } from "@hookform/resolvers/zod"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import type { SubscriptionView, UpdateSubscriptionBody } from "@tilinta/contract/subscriptions"
import { useState } from "react"
import { FormProvider, useForm } from "react-hook-form"
import { detailOf, messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { invoicesKey, subscriptionsKey } from "#seller/seller-data.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Checkbox } from "#ui/choice-inputs.tsx"
import { ConfirmDialog, FormDialog } from "#ui/dialog.tsx"
import { FormAlert } from "#ui/field.tsx"
import { toast } from "#ui/toast.ts"
import { useSubmit } from "#ui/use-submit.ts"
import { ChargeFields } from "./charge-fields.tsx"
import { changedSubscription, formOf } from "./subscription-form.ts"
import { priceText } from "./subscriptions-data.ts"

export type Question = "edit" | "pause" | "resume" | "cancel"

interface Props {
  question: Question
  subscription: SubscriptionView
  /** How many of its invoices can be paid now. */
  openCount: number
  onClose: () => void
}

export function SubscriptionDialogs({ question, ...props }: Props) {
  if (question === "edit") return <EditDialog {...props} />
  return <EndDialog question={question} {...props} />
}

const words = {
  pause: {
    title: "Pausar assinatura?",
    verb: "Pausar",
    text: "Vencimentos durante a pausa não são cobrados, nem depois.",
    done: sellerTexts.subscriptionPaused,
    head: heads.pauseSubscription,
  },
  resume: {
    title: "Retomar assinatura?",
    verb: "Retomar",
    text: "A próxima cobrança é a do primeiro vencimento a partir de hoje.",
    done: sellerTexts.subscriptionResumed,
    head: heads.resumeSubscription,
  },
  cancel: {
    title: "Cancelar assinatura?",
    verb: "Cancelar assinatura",
    text: "Não há mais cobranças. Esta ação é irreversível.",
    done: sellerTexts.subscriptionCancelled,
    head: heads.cancelSubscription,
  },
} as const

function EndDialog({ question, subscription, openCount, onClose }: Props & { question: keyof typeof words }) {
  const { title, verb, text, done } = words[question]
  const [cancelOpenInvoices, setCancelOpen] = useState(false)
  const refresh = useRefresh()
  const act = useMutation({
    mutationFn: () => {
      const params = { id: subscription._id }
      if (question === "resume") return call(heads.resumeSubscription, { params })
      return call(words[question].head, { params, body: { cancelOpenInvoices } })
    },
    onSuccess: () => toast.success(done),
    onError: (error) => toast.error(messageOf(error, sellerTexts.subscriptionNotSaved), detailOf(error)),
    onSettled: () => {
      onClose()
      return refresh()
    },
  })
  return (
    <ConfirmDialog
      title={title}
      verb={verb}
      variant={question === "cancel" ? "danger" : "primary"}
      busy={act.isPending}
      onConfirm={() => act.mutate()}
      onClose={onClose}
    >
      <p>
        <b className="font-semibold text-t1">{subscription.customer.name}</b> paga{" "}
        <b className="font-semibold text-t1 tabular-nums">{priceText(subscription)}</b>. {text}
      </p>
      {question !== "resume" && openCount > 0 && (
        <Checkbox
          label={`Cancelar também as cobranças em aberto (${openCount})`}
          checked={cancelOpenInvoices}
          onChange={({ target }) => setCancelOpen(target.checked)}
        />
      )}
    </ConfirmDialog>
  )
}

function EditDialog({ subscription, onClose }: Omit<Props, "question">) {
  const form = useForm({ resolver: zodResolver(changedSubscription), defaultValues: formOf(subscription) })
  const refresh = useRefresh()
  const { submit, failure } = useSubmit(
    async (body: UpdateSubscriptionBody) => {
      await call(heads.updateSubscription, { params: { id: subscription._id }, body })
      toast.success(sellerTexts.subscriptionSaved)
      onClose()
      await refresh()
    },
    (error) => messageOf(error, sellerTexts.subscriptionNotSaved),
    (path, message) => form.setError(path as "amount", { message }, { shouldFocus: true }),
  )
  const { isSubmitting } = form.formState
  return (
    <FormProvider {...form}>
      <FormDialog
        title="Editar assinatura"
        verb={isSubmitting ? "Salvando..." : "Salvar"}
        busy={isSubmitting}
        onSubmit={form.handleSubmit(submit)}
        onClose={onClose}
        className="grid gap-4 [&_:is(input,select)]:scroll-my-16"
      >
        <p className="text-t2">
          Vale para as cobranças que ainda não saíram. De um valor novo o cliente é avisado por e-mail.
        </p>
        <ChargeFields fixedPeriod />
        <FormAlert message={failure} />
      </FormDialog>
    </FormProvider>
  )
}

function useRefresh() {
  const queryClient = useQueryClient()
  return async () => {
    void queryClient.invalidateQueries({ queryKey: invoicesKey })
    await queryClient.invalidateQueries({ queryKey: subscriptionsKey })
  }
}
