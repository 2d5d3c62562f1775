import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useActingShop, useUser } from "#api/session.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { QueryFailure } from "#ui/card.tsx"
import { Skeleton } from "#ui/lazy-part.tsx"
import { PageTitle } from "#ui/page-title.tsx"
import { Segments } from "#ui/segments.tsx"
import { shopQuery } from "./shop-data.ts"
import { ShopEditor } from "./shop-form.tsx"
import { ShopPreview } from "./shop-preview.tsx"

const views = [
  { value: "form", label: "Editar" },
  { value: "preview", label: "Ver como fica" },
] as const
type View = (typeof views)[number]["value"]

export function ShopPage() {
  // No refetch on focus: the server's values must not replace what is being typed.
  const shop = useQuery({ ...shopQuery, refetchOnWindowFocus: false })
  const user = useUser()
  const acting = useActingShop()
  // The person's own shop has its typed name as well; of another's, only the name that payers see is known.
  const sellerName = (acting?._id === user?._id ? user?.name : acting?.name) ?? ""
  const [view, setView] = useState<View>("form")
  const onPhone = (shown: View) => (view === shown ? "" : "max-lg:hidden")
  return (
    <>
      <div className="mb-1 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div>
          <PageTitle title="Minha loja" />
          <p className="mt-1 text-t2">É assim que quem paga vê você.</p>
        </div>
        {shop.data !== undefined && (
          <div className="lg:hidden max-sm:w-full max-sm:[&_label]:flex-1">
            <Segments label="O que mostrar" options={views} value={view} onChange={setView} />
          </div>
        )}
      </div>
      <QueryFailure query={shop} failed={sellerTexts.shopFailed} detailed />
      {shop.isPending && <ShopSkeleton />}
      {shop.data !== undefined && (
        <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_375px]">
          <ShopEditor
            shop={shop.data}
            className={onPhone("form")}
            preview={(typed) => (
              <div className={`lg:sticky lg:top-24 ${onPhone("preview")}`}>
                <ShopPreview shop={typed} logoUrl={shop.data.logoUrl} sellerName={sellerName} />
              </div>
            )}
          />
        </div>
      )}
    </>
  )
}

function ShopSkeleton() {
  return (
    <div role="status" className="after-a-moment grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_375px]">
      <span className="sr-only">Carregando...</span>
      <div className="grid gap-4">
        <Skeleton className="h-104 w-full rounded-xl" />
        <Skeleton className="h-60 w-full rounded-xl" />
      </div>
      <Skeleton className="h-140 w-full rounded-xl max-lg:hidden" />
    </div>
  )
}
