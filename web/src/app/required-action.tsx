import type { UserView } from "@tilinta/contract/users"
import type { RequiredAction } from "@tilinta/contract/vocabulary/people"
import { ProtectAccountPage } from "#seller/protect-account/protect-account-page.tsx"
import { PublicLayout } from "./public-pages.tsx"

/** Without the menu, whatever the address: the app opens there afterwards. */
export function RequiredActionPage({ user, action }: { user: UserView; action: RequiredAction }) {
  return (
    <PublicLayout>
      <ProtectAccountPage email={user.email} action={action} />
    </PublicLayout>
  )
}
