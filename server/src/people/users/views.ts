import type { OwnShopView, UserView } from "@tilinta/contract/users"
import { type Cents, reaisFromCents } from "@tilinta/contract/vocabulary/money"
import { emptyAddress, type RequiredAction } from "@tilinta/contract/vocabulary/people"
import { managers, type ShopRole } from "@tilinta/contract/vocabulary/team"
import type { ListedShop } from "#people/team/rules"
import type { User } from "./rules.ts"

/** Missing values become empty text, because the forms show every field. */
export function toUserView(
  user: User,
  balance: Cents,
  { requiredAction = null, shops = null }: { requiredAction?: RequiredAction | null; shops?: ListedShop[] | null } = {},
): UserView {
  return {
    _id: user.id,
    name: user.name,
    email: user.email,
    cpf: user.cpf,
    phone: user.phone,
    address: { ...emptyAddress, ...user.address },
    bankAccount: {
      bank: user.bankAccount.bank ?? "",
      agency: user.bankAccount.agency ?? "",
      account: user.bankAccount.account ?? "",
      accountType: user.bankAccount.accountType ?? "",
      pixKey: user.bankAccount.pixKey ?? "",
    },
    paymentMails: user.paymentMails,
    emailState: user.emailState,
    anyName: user.anyName,
    feePercentage: user.feePercentage,
    role: user.role,
    active: user.active,
    balance: reaisFromCents(balance),
    createdAt: user.createdAt.toISOString(),
    ...(user.adminRightsFrom !== null && { adminRightsFrom: user.adminRightsFrom.toISOString() }),
    ...(requiredAction !== null && { requiredAction }),
    ...(shops !== null && { shops: toOwnShopViews(shops) }),
  }
}

const charging: readonly ShopRole[] = managers

export function toOwnShopViews(shops: readonly ListedShop[]): OwnShopView[] {
  return shops.map(({ id, name, role, feePercentage, isIntegrated }) => ({
    _id: id,
    name,
    role,
    ...(charging.includes(role) && { feePercentage, isIntegrated }),
  }))
}
