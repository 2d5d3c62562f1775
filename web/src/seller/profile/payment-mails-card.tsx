import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { UserView } from "@tilinta/contract/api/users-endpoints"
import { type PaymentMails, paymentMailChoices, paymentMailLabels } from "@tilinta/contract/vocabulary/payment-mails"
import { detailOf, messageOf } from "#api/api-error.ts"
import { Card, CardHeader } from "#ui/card.tsx"
import { Field } from "#ui/field.tsx"
import { Select } from "#ui/select.tsx"
import { toast } from "#ui/toast.ts"
import { sellerTexts } from "../seller-texts.ts"
import { profileQuery, saveProfile } from "./profile-data.ts"

export function PaymentMailsCard({ user }: { user: UserView }) {
  const queryClient = useQueryClient()
  const save = useMutation({
    mutationFn: (paymentMails: PaymentMails) => saveProfile(user, { paymentMails }),
    onSuccess: ({ paymentMails }) => {
      // Only this field: the others may be half typed.
      queryClient.setQueryData(profileQuery.queryKey, (known) => known && { ...known, paymentMails })
      toast.success(sellerTexts.paymentMailsSaved)
    },
    onError: (error) => toast.error(messageOf(error, sellerTexts.paymentMailsNotSaved), detailOf(error)),
  })
  return (
    <Card className="p-5">
      <CardHeader title="E-mails" />
      <p className="mt-0.5 mb-4 text-label text-t3">Avisos sobre saques e segurança chegam sempre.</p>
      <Field label="Pagamentos recebidos">
        {(control) => (
          <Select
            {...control}
            value={save.isPending ? save.variables : user.paymentMails}
            disabled={save.isPending}
            onChange={({ target }) => save.mutate(target.value as PaymentMails)}
          >
            {paymentMailChoices.map((choice) => (
              <option key={choice} value={choice}>
                {paymentMailLabels[choice]}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </Card>
  )
}
