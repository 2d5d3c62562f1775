import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { iconButtonClass } from "#ui/button.tsx"
import { Icon } from "#ui/icon.tsx"
import { unreadQuery } from "./notices-data.ts"

/** The server counts to a hundred. */
const MOST = 99

export function NoticeBell() {
  const { data: unread = 0 } = useQuery(unreadQuery)
  const shown = unread > MOST ? `${MOST}+` : String(unread)
  const label = unread === 0 ? "Avisos" : `Avisos: ${shown} ${unread === 1 ? "novo" : "novos"}`
  return (
    <Link to="/notices" aria-label={label} title={label} className={`relative ${iconButtonClass}`}>
      <Icon name="bell" />
      {unread > 0 && (
        <span
          aria-hidden="true"
          className="absolute top-1 right-0.5 min-w-[18px] rounded-full bg-coral px-1 text-center text-[11px] leading-[18px] font-bold text-bg tabular-nums"
        >
          {shown}
        </span>
      )}
    </Link>
  )
}
