import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { buttonClass } from "#ui/button.tsx"
import { Icon } from "#ui/icon.tsx"
import { payableQuery } from "./batch-data.ts"

/** Shown while something waits to be paid by hand. */
export function BatchLink() {
  const count = useQuery(payableQuery).data?.length ?? 0
  if (count === 0) return null
  return (
    <Link to="/admin/withdrawals/batch" className={buttonClass("primary")}>
      <Icon name="qr" className="size-5 stroke-[2.1]" />
      Pagar lote ({count})
    </Link>
  )
}
