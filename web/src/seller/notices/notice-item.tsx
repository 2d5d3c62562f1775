import { Link } from "@tanstack/react-router"
import { formatDateTime } from "#format/date.ts"
import { Icon } from "#ui/icon.tsx"
import type { Notice } from "./notices-data.ts"

export function NoticeItem({ notice, isNew }: { notice: Notice; isNew: boolean }) {
  const { tone, title, text, facts, note, action, createdAt } = notice
  return (
    <li className="flex gap-3.5 py-4">
      <Icon
        name={tone === "warning" ? "alert" : "info"}
        className={`mt-0.5 size-5 ${tone === "warning" ? "text-amber" : "text-t3"}`}
      />
      <div className="grid min-w-0 flex-1 gap-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <h2 className="min-w-0 font-semibold break-words">
            {title}
            {isNew && (
              <span className="ml-2 rounded-s bg-s3 px-1.5 py-0.5 align-[1px] text-[12px] font-semibold text-mint">
                Novo
              </span>
            )}
          </h2>
          <time dateTime={createdAt} className="text-meta text-t3 tabular-nums">
            {formatDateTime(createdAt)}
          </time>
        </div>
        <p className="break-words text-t2">{text}</p>
        {facts.length > 0 && (
          <ul className="grid gap-0.5 text-label text-t2">
            {facts.map(({ label, value }) => (
              <li key={`${label} ${value}`} className="break-words tabular-nums">
                <span className="text-t3">{label}: </span>
                {value}
              </li>
            ))}
          </ul>
        )}
        {note !== "" && <p className="text-label text-t3">{note}</p>}
        <Link
          {...screenOf(action.path)}
          className="inline-flex min-h-11 items-center self-start text-label font-semibold text-t2 hover:text-mint"
        >
          {action.label}
        </Link>
      </div>
    </li>
  )
}

/** The server writes the path; its parameters are checked by the screen, like those of any address. */
function screenOf(path: string) {
  const { pathname, searchParams, hash } = new URL(path, location.origin)
  return { to: pathname, search: Object.fromEntries(searchParams), ...(hash !== "" && { hash: hash.slice(1) }) }
}
