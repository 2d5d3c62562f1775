import type { UserView } from "@tilinta/contract/users"
import { shopRoleLabels } from "@tilinta/contract/vocabulary/team-texts"
import { actFor, actingShopOf } from "#api/acting-shop.ts"
import { Icon } from "#ui/icon.tsx"
import { Menu, menuItemClass } from "#ui/menu.tsx"

/** Only for people of several shops. Each tab has its own. */
export function ShopSwitcher({ user }: { user: UserView }) {
  const { shops = [] } = user
  const acting = actingShopOf(user)
  if (shops.length < 2) return null
  return (
    <Menu
      label={`Loja: ${acting.name}. Trocar de loja`}
      className="flex min-h-11 min-w-0 items-center gap-2 rounded-m px-2 font-semibold hover:bg-s2"
      button={
        <>
          <Icon name="shop" className="size-5 flex-none text-mint" />
          <span className="sr-only">Trocar de loja: </span>
          <span className="max-w-40 truncate max-md:sr-only">{acting.name}</span>
          <Icon name="chevronDown" className="size-4 flex-none text-t3 max-md:hidden" />
        </>
      }
    >
      {shops.map(({ _id, name, role }) => (
        <button
          key={_id}
          type="button"
          role="menuitemradio"
          aria-checked={_id === acting._id}
          onClick={() => actFor(_id)}
          className={menuItemClass}
        >
          <Icon name={_id === acting._id ? "check" : "shop"} />
          <span className="grid min-w-0 text-left">
            <span className="max-w-64 truncate">{name}</span>
            <span className="text-meta text-t3">{shopRoleLabels[role]}</span>
          </span>
        </button>
      ))}
    </Menu>
  )
}
