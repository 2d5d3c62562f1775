import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { type NoticeTopic, noticeTopicLabels } from "@tilinta/contract/vocabulary/mails"
import { useEffect, useState } from "react"
import { useActingShop, useUser } from "#api/session.ts"
import { formatDay, formatTime, nameOfDay, saoPauloDay } from "#format/dates.ts"
import { hiddenAmounts, hiddenReais } from "#ui/amounts.tsx"
import { Card, EmptyState, QueryFailure, RowsSkeleton } from "#ui/card.tsx"
import { Icon, type IconName } from "#ui/icon.tsx"
import { MoreButton } from "#ui/list-screen.tsx"
import { PageTitle } from "#ui/page-title.tsx"
import { Tabs } from "#ui/tabs.tsx"
import { markNoticesRead, type Notice, noticesQuery, unreadQuery } from "./notice-bell.tsx"

/** Others wear the icon of their tone. */
const icons: Partial<Record<string, IconName>> = {
  payment_received: "check",
  payments_received: "check",
  payment_refunded: "undo",
  dispute_opened: "flag",
  dispute_closed: "flag",
  withdrawal_step: "bank",
  withdrawal_cancelled: "bank",
  withdrawal_returned: "bank",
}

const amounts = /R\$ [\d.]+,\d\d/g

/** The server's words, in which an amount is never broken, and hidden where all are. */
function useShownText(): (text: string) => string {
  const hides = hiddenAmounts.use()
  return (text) => text.replace(amounts, (amount) => (hides ? hiddenReais : amount.replace(" ", "\u00a0")))
}

export function NoticeItem({ notice, isNew }: { notice: Notice; isNew: boolean }) {
  const { kind, tone, title, text, facts, note, action, createdAt } = notice
  const shown = useShownText()
  const isWarning = tone === "warning"
  return (
    <li className="relative -mx-3 flex gap-3 rounded-m px-3 py-3 has-[a:hover]:bg-s2">
      <Icon
        name={icons[kind] ?? (isWarning ? "alert" : "info")}
        className={`mt-0.5 size-5 flex-none ${isWarning ? "text-amber" : "text-t3"}`}
      />
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline justify-between gap-3">
          <h3 className="min-w-0 font-semibold break-words">
            <Screen path={action.path}>{shown(title)}</Screen>
            {isNew && (
              <span className="ml-2 inline-block size-2 rounded-full bg-mint align-[1px]">
                <span className="sr-only">Novo</span>
              </span>
            )}
          </h3>
          <time dateTime={createdAt} className="flex-none text-meta text-t3 tabular-nums">
            {formatTime(createdAt)}
          </time>
        </div>
        <p className="text-label break-words text-t2">{shown(text.replace(momentOf(notice), ""))}</p>
        {facts.length > 0 && (
          <p className="text-meta break-words text-t3 tabular-nums">
            {shown(facts.map(({ label, value }) => `${label}: ${value}`).join(" · "))}
          </p>
        )}
        {note !== "" && <p className="text-meta text-t3">{note}</p>}
      </div>
    </li>
  )
}

/** In most texts, which a mail holds too; the list has it next to the title. */
function momentOf(notice: Notice): RegExp {
  return new RegExp(`,? em ${formatDay(dayOf(notice))} às ${formatTime(notice.createdAt)}`)
}

/** A notice of another shop is a new start: the tab acts for that one from there on. */
function Screen({ path, children }: { path: string; children: string }) {
  const className = "after:absolute after:inset-0 after:rounded-m"
  const acting = useActingShop()?._id
  const { search: named, ...to } = screenOf(path)
  const { shop = acting, ...search } = named
  return shop !== acting ? (
    <a href={path} className={className}>
      {children}
    </a>
  ) : (
    <Link {...to} search={search} className={className}>
      {children}
    </Link>
  )
}

/** The server writes the path; its parameters are checked by the screen, like those of any address. */
function screenOf(path: string) {
  const { pathname, searchParams, hash } = new URL(path, location.origin)
  return { to: pathname, search: Object.fromEntries(searchParams), ...(hash !== "" && { hash: hash.slice(1) }) }
}

export function NoticesPage() {
  return <Notices topic="activity" />
}

export function SecurityNoticesPage() {
  return <Notices topic="security" />
}

const empty = {
  activity: "Pagamentos, contestações, estornos e saques aparecem aqui.",
  security: "Entradas por aparelhos novos e mudanças na conta aparecem aqui.",
} as const satisfies Record<NoticeTopic, string>

function Notices({ topic }: { topic: NoticeTopic }) {
  const list = useInfiniteQuery(noticesQuery(topic))
  // A notice that goes on moves up, and may come again with an older part.
  const all = list.data?.pages.flatMap((part) => part.notices) ?? []
  const notices = [...new Map(all.toReversed().map((notice) => [notice._id, notice])).values()].toReversed()
  const unread = useUnread(notices)
  return (
    <>
      <PageTitle title="Avisos" />
      <NoticeTabs />
      <QueryFailure query={list} failed="Erro ao carregar os avisos" detailed />
      {list.isPending && (
        <Card className="p-5">
          <RowsSkeleton rows={6} label="Carregando avisos" />
        </Card>
      )}
      {list.isSuccess && notices.length === 0 && (
        <Card>
          <EmptyState icon="bell" title="Nenhum aviso ainda">
            {empty[topic]}
          </EmptyState>
        </Card>
      )}
      {[...new Set(notices.map(dayOf))].map((day) => (
        <Card key={day} aria-labelledby={`day-${day}`} className="px-5 pt-4 pb-2 max-md:px-4">
          <h2 id={`day-${day}`} className="text-label font-semibold text-t3">
            {nameOfDay(day, saoPauloDay(new Date()))}
          </h2>
          <ul className="mt-1 grid">
            {notices
              .filter((notice) => dayOf(notice) === day)
              .map((notice) => (
                <NoticeItem key={notice._id} notice={notice} isNew={unread.has(versionOf(notice))} />
              ))}
          </ul>
        </Card>
      ))}
      <MoreButton list={list}>Mostrar mais antigos</MoreButton>
      {notices.length > 0 && <NotYou />}
    </>
  )
}

function dayOf({ createdAt }: Notice): string {
  return saoPauloDay(new Date(createdAt))
}

function NoticeTabs() {
  const counts = useQuery(unreadQuery).data?.unreadByTopic
  return (
    <Tabs
      label="Avisos"
      tabs={[
        { label: noticeTopicLabels.activity, to: "/notices", count: counts?.activity },
        { label: noticeTopicLabels.security, to: "/notices/security", count: counts?.security },
      ]}
    />
  )
}

/** Once for all of them: in each it would only be passed over. */
function NotYou() {
  const isAdmin = useUser()?.role === "admin"
  return (
    <p className="text-balance px-1 text-label text-t3">
      <b className="font-semibold text-t2">Não foi você?</b>{" "}
      <Link to="/profile/security" className="text-t2 underline underline-offset-4 hover:text-t1">
        Troque a sua senha
      </Link>{" "}
      agora mesmo e fale com {isAdmin ? "os outros administradores" : "o suporte"}.
    </p>
  )
}

/** A notice that goes on is another one. */
function versionOf({ _id, createdAt }: Notice): string {
  return `${_id} ${createdAt}`
}

/** Marks what is shown as read, and keeps it marked as new while the screen stays open. */
function useUnread(notices: readonly Notice[]): ReadonlySet<string> {
  const queryClient = useQueryClient()
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const unread = notices.filter((notice) => notice.readAt === null && !marked.has(versionOf(notice))).map(versionOf)
  const key = unread.join()
  useEffect(() => {
    if (key === "") return
    const versions = key.split(",")
    setMarked((known) => new Set([...known, ...versions]))
    void markNoticesRead(versions.map((version) => version.split(" ")[0] ?? ""))
      .then(() => queryClient.invalidateQueries({ queryKey: unreadQuery.queryKey }))
      // The bell goes on counting them, and the next visit tries again.
      .catch(() => undefined)
  }, [key, queryClient])
  return marked
}
