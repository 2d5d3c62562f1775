import { Link, useNavigate } from "@tanstack/react-router"
import type { UserView } from "@tilinta/contract/users"
import { initialsOf } from "@tilinta/contract/vocabulary/initials"
import { managers } from "@tilinta/contract/vocabulary/team"
import { shopRoleLabels } from "@tilinta/contract/vocabulary/team-texts"
import { actFor, actingShopOf, mayAs } from "#api/acting-shop.ts"
import { logOut } from "#api/session.ts"
import { SoundMenuItem } from "#seller/live/payment-sound.tsx"
import { hiddenAmounts } from "#ui/amounts.tsx"
import { IconButton } from "#ui/button.tsx"
import { Icon, LogoMark } from "#ui/icon.tsx"
import { lazyPart } from "#ui/lazy-part.tsx"
import { Menu, menuItemClass } from "#ui/menu.tsx"
import { productName } from "#ui/page-title.tsx"
import { homePathOf } from "./places.ts"
import { menuScreensOf } from "./sidebar.tsx"

const NoticeBell = lazyPart(
  () => import("#seller/notices/notice-bell.tsx"),
  "NoticeBell",
  <span className="size-11 flex-none md:size-10" />,
)
const SearchButton = lazyPart(() => import("./palette/search-button.tsx"), "SearchButton")

interface Props {
  user: UserView
  onMenu: () => void
  onShortcuts: () => void
}

export function TopBar({ user, onMenu, onShortcuts }: Props) {
  const navigate = useNavigate()
  const hidesAmounts = hiddenAmounts.use()

  function leave(): void {
    logOut()
    void navigate({ to: "/login" })
  }

  return (
    <header className="shell-top sticky top-0 z-10 flex h-[60px] items-center gap-1 border-b border-line bg-bg/86 pr-2 pl-1 [backdrop-filter:blur(14px)] md:h-[68px] md:pr-6 md:pl-5">
      <IconButton icon="menu" label="Abrir menu" onClick={onMenu} className="md:hidden" />
      <IconButton icon="sidebar" label="Recolher ou expandir o menu" onClick={onMenu} className="max-md:hidden" />
      <Link
        to={homePathOf(user)}
        aria-label={`${productName}, início`}
        className="grid size-11 place-items-center rounded-m md:hidden"
      >
        <LogoMark className="size-7" />
      </Link>
      <div className="min-w-0 max-md:ml-auto max-md:min-w-11 md:ml-2 md:w-64">
        {mayAs(actingShopOf(user).role, managers) && (
          <SearchButton user={user} menu={menuScreensOf(user)} onShortcuts={onShortcuts} />
        )}
      </div>
      <ShopSwitcher user={user} />
      <IconButton
        icon={hidesAmounts ? "eyeOff" : "eye"}
        label="Ocultar valores"
        title={hidesAmounts ? "Mostrar valores" : "Ocultar valores"}
        aria-pressed={hidesAmounts}
        onClick={hiddenAmounts.toggle}
        className="md:ml-auto"
      />
      <NoticeBell />
      <div>
        <Menu
          label={`Conta de ${user.name}`}
          className="flex min-h-11 items-center gap-2.5 rounded-m px-2 font-semibold hover:bg-s2"
          button={
            <>
              <span
                aria-hidden="true"
                className="grid size-8 place-items-center rounded-full bg-[linear-gradient(150deg,oklch(0.45_0.08_200),oklch(0.36_0.07_260))] text-[12px] font-bold tracking-[0.02em]"
              >
                {initialsOf(user.name)}
              </span>
              <span className="sr-only">Conta de </span>
              <span className="max-w-48 truncate max-md:sr-only">{user.name}</span>
              <Icon name="chevronDown" className="size-4 text-t3 max-md:hidden" />
            </>
          }
        >
          <div role="presentation" className="border-b border-line px-3 pt-1.5 pb-3">
            <p className="max-w-64 truncate font-[650]">{user.name}</p>
            <p className="max-w-64 truncate text-meta text-t3">{user.email}</p>
          </div>
          <Link to="/profile" role="menuitem" className={`mt-1.5 ${menuItemClass}`}>
            <Icon name="user" />
            Meu Perfil
          </Link>
          <SoundMenuItem />
          <button type="button" role="menuitem" onClick={onShortcuts} className={`touch:hidden ${menuItemClass}`}>
            <Icon name="keyboard" />
            Atalhos do teclado
          </button>
          <button type="button" role="menuitem" onClick={leave} className={menuItemClass}>
            <Icon name="logOut" />
            Sair
          </button>
        </Menu>
      </div>
    </header>
  )
}

/** Only for people of several shops. Each tab has its own. */
function ShopSwitcher({ user }: { user: UserView }) {
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
