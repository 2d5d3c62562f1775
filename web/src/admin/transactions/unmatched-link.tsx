import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { countOf } from "#format/count.ts"
import { Icon } from "#ui/icon.tsx"
import { unmatchedQuery } from "../unmatched-payments/unmatched-data.ts"

/** Links to payments that await a decision, with their number. */
export function UnmatchedLink() {
  const open = useQuery(unmatchedQuery(1, {})).data?.results
  return (
    <Link
      to="/admin/unmatched-payments"
      className="flex min-h-11 items-center gap-3 max-md:order-last rounded-l border border-line bg-s1 px-4 py-2.5 text-label font-semibold shadow-card hover:border-line-2"
    >
      <Icon name="alert" className={`size-5 ${open ? "text-amber" : "text-t3"}`} />
      <span className="min-w-0 flex-1">
        Pagamentos a conferir
        <span className="block text-meta font-normal text-t3">
          {open === undefined
            ? "Pix que chegaram de um jeito inesperado"
            : open === 0
              ? "Nada espera por uma decisão"
              : countOf(open, "Pix espera por uma decisão", "Pix esperam por uma decisão")}
        </span>
      </span>
      <Icon name="chevronRight" className="size-4 stroke-2 text-t3" />
    </Link>
  )
}
