import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import type { UserView } from "@tilinta/contract/users"
import { type PaymentMails, paymentMailChoices, paymentMailLabels } from "@tilinta/contract/vocabulary/mails"
import { detailOf, messageOf } from "#api/api-error.ts"
import { sellerTexts } from "#seller/seller-texts.ts"
import { Card, CardHeader, QueryFailure } from "#ui/card.tsx"
import { Options, Select } from "#ui/choice-inputs.tsx"
import { Field } from "#ui/field.tsx"
import { Skeleton } from "#ui/lazy-part.tsx"
import { PageTitle } from "#ui/page-title.tsx"
import { toast } from "#ui/toast.ts"
import { DestinationsCard } from "./destinations-card.tsx"
import { OwnDataCard } from "./own-data-card.tsx"
import { PasswordCard } from "./password-card.tsx"
import { ProfileFields } from "./profile-fields.tsx"
import { profileQuery, saveProfile } from "./profile-form.ts"
import { SecurityCard } from "./security-card.tsx"
import { SessionsCard } from "./sessions-card.tsx"

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
            <Options words={paymentMailChoices} labels={paymentMailLabels} />
          </Select>
        )}
      </Field>
    </Card>
  )
}

export function ProfilePage() {
  // No refetch on focus: the server's values must not replace what is being typed.
  const profile = useQuery({ ...profileQuery, gcTime: 0, refetchOnWindowFocus: false })
  return (
    <>
      <div className="mb-1">
        <PageTitle title="Meu Perfil" />
        <p className="mt-1 text-t2">Seus dados, a conta que recebe os saques e a segurança do seu acesso.</p>
      </div>
      <QueryFailure query={profile} failed={sellerTexts.profileFailed} detailed />
      {profile.isPending && <ProfileSkeleton />}
      {profile.data !== undefined && <Profile user={profile.data} />}
    </>
  )
}

function Profile({ user }: { user: UserView }) {
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_340px]">
      <ProfileFields user={user} />
      <div className="grid gap-4">
        <PaymentMailsCard user={user} />
        <PasswordCard email={user.email} />
        <SecurityCard />
        <DestinationsCard />
        <SessionsCard />
        <OwnDataCard canBeDeleted={user.role === "user"} />
      </div>
    </div>
  )
}

function ProfileSkeleton() {
  return (
    <div role="status" className="after-a-moment grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_340px]">
      <span className="sr-only">Carregando...</span>
      <div className="grid gap-4">
        <Skeleton className="h-60 w-full rounded-xl" />
        <Skeleton className="h-80 w-full rounded-xl" />
      </div>
      <Skeleton className="h-104 w-full rounded-xl max-lg:hidden" />
    </div>
  )
}
