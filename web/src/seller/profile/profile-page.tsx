import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Outlet } from "@tanstack/react-router"
import type { UserView } from "@tilinta/contract/users"
import { type PaymentMails, paymentMailChoices, paymentMailLabels } from "@tilinta/contract/vocabulary/mails"
import { ownerAlone } from "@tilinta/contract/vocabulary/team"
import { detailOf, messageOf } from "#api/api-error.ts"
import { useUser } from "#api/session.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Card, CardHeader, QueryFailure } from "#ui/card.tsx"
import { Options, Select } from "#ui/choice-inputs.tsx"
import { Field } from "#ui/field.tsx"
import { Skeleton } from "#ui/lazy-part.tsx"
import { Only } from "#ui/only.tsx"
import { PageTitle } from "#ui/page-title.tsx"
import { Tabs } from "#ui/tabs.tsx"
import { toast } from "#ui/toast.ts"
import { DestinationsCard } from "./destinations-card.tsx"
import { DeleteAccountCard, OwnDataCard } from "./own-data-card.tsx"
import { PasswordCard } from "./password-card.tsx"
import { profileQuery, saveProfile } from "./profile-form.ts"
import { ProfileForms } from "./profile-forms.tsx"
import { PushCard } from "./push-card.tsx"
import { SecurityCard } from "./security-card.tsx"
import { SessionsCard } from "./sessions-card.tsx"
import { TeamsCard } from "./teams-card.tsx"

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

const tabs = [
  { label: "Dados", to: "/profile" },
  { label: "Segurança", to: "/profile/security" },
  { label: "Privacidade", to: "/profile/privacy" },
] as const

export function ProfilePage() {
  return (
    <>
      <PageTitle title="Meu Perfil" />
      <Tabs label="Meu Perfil" tabs={tabs} />
      <Outlet />
    </>
  )
}

export function OwnDetails() {
  // No refetch on focus: the server's values must not replace what is being typed.
  const profile = useQuery({ ...profileQuery, gcTime: 0, refetchOnWindowFocus: false })
  return (
    <>
      <QueryFailure query={profile} failed={sellerTexts.profileFailed} detailed />
      {profile.isPending && <DetailsSkeleton />}
      {profile.data !== undefined && <Details user={profile.data} />}
    </>
  )
}

/** Nobody pays an administrator. */
function Details({ user }: { user: UserView }) {
  const isSeller = user.role === "user"
  return (
    <div className={`grid items-start gap-4 ${isSeller ? "lg:grid-cols-[minmax(0,1fr)_340px]" : "max-w-3xl"}`}>
      <ProfileForms user={user} />
      <div className="grid gap-4">
        {isSeller && <PaymentMailsCard user={user} />}
        <PushCard user={user} />
        <TeamsCard user={user} />
      </div>
    </div>
  )
}

export function AccountSecurity() {
  const user = useUser()
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <div className="grid gap-4">
        <SecurityCard />
        <PasswordCard email={user?.email ?? ""} />
      </div>
      <div className="grid gap-4">
        <SessionsCard />
        {user?.role === "user" && (
          <Only roles={ownerAlone}>
            <DestinationsCard />
          </Only>
        )}
      </div>
    </div>
  )
}

export function AccountPrivacy() {
  const user = useUser()
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <OwnDataCard />
      {user?.role === "user" && <DeleteAccountCard />}
    </div>
  )
}

function DetailsSkeleton() {
  return (
    <div role="status" className="after-a-moment grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_340px]">
      <span className="sr-only">Carregando...</span>
      <div className="grid gap-4">
        <Skeleton className="h-60 w-full rounded-xl" />
        <Skeleton className="h-80 w-full rounded-xl" />
      </div>
      <Skeleton className="h-40 w-full rounded-xl max-lg:hidden" />
    </div>
  )
}
