import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { ChargePageView } from "@tilinta/contract/charge-pages"
import type { TransactionsSummary } from "@tilinta/contract/transactions"
import { useState } from "react"
import { Button, buttonClass } from "#ui/button.tsx"
import { Card } from "#ui/card.tsx"
import { lazyDialog } from "#ui/lazy-part.tsx"
import { shopQuery } from "../shop/shop-data.ts"
import { hasSharedLink, type Step, stepsOf } from "./steps.ts"

const ShareDialog = lazyDialog(() => import("../charge-page-parts/share-dialog.tsx"), "ShareDialog")

interface Props {
  summary: TransactionsSummary
  chargePages: { results: number; newest: ChargePageView | undefined }
}

/** The one thing that a seller without a sale does next. */
export function NextStep({ summary, chargePages: { results, newest } }: Props) {
  const hasShared = hasSharedLink.use()
  const shop = useQuery(shopQuery)
  if (shop.isPending) return null
  const steps = stepsOf({
    hasShop: shop.data?.name !== "",
    chargePages: results,
    hasShared,
    transactions: summary.count,
    payments: summary.paidCount,
  })
  const next = steps.find(({ state }) => state === "next")
  if (next === undefined) return null
  const { title, hint } = texts[next.name]
  return (
    <Card aria-label="Primeiros passos" className="grid gap-5 p-5 md:p-6">
      <ol className="grid grid-cols-4 gap-2">
        {steps.map((step) => (
          <Mark key={step.name} step={step} />
        ))}
      </ol>
      <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4">
        <div className="min-w-0 flex-1 basis-64">
          <h2 className="text-[20px] font-bold tracking-[-0.02em]">{title}</h2>
          <p className="mt-0.5 text-t2">{hint}</p>
        </div>
        <Action step={next.name} page={newest} />
      </div>
    </Card>
  )
}

const texts = {
  shop: {
    label: "Loja",
    title: "Monte a sua loja",
    hint: "Nome, logo e contato: quem paga vê a sua loja, e sabe com quem falar.",
  },
  charge: { label: "Cobrança", title: "Crie a primeira cobrança", hint: "Um título e um valor bastam." },
  share: {
    label: "Compartilhar",
    title: "Compartilhe a cobrança",
    hint: "Pelo WhatsApp, por QR ou onde o seu cliente estiver.",
  },
  payment: {
    label: "Receber",
    title: "Agora é só receber",
    hint: "Assim que o cliente pagar, o valor aparece aqui, na hora.",
  },
} as const satisfies Record<Step["name"], { label: string; title: string; hint: string }>

const bars = { done: "bg-mint", next: "bg-mint-line", ahead: "bg-s3" } as const satisfies Record<Step["state"], string>

function Mark({ step: { name, state } }: { step: Step }) {
  const isNext = state === "next"
  return (
    <li aria-current={isNext ? "step" : undefined} className="grid content-start gap-1.5">
      <span aria-hidden="true" className={`h-1 rounded-full ${bars[state]}`} />
      <span className={`text-[12.5px] max-sm:tracking-[-0.02em] ${isNext ? "font-semibold text-t1" : "text-t3"}`}>
        {texts[name].label}
        {state === "done" && <span className="sr-only"> (feito)</span>}
      </span>
    </li>
  )
}

function Action({ step, page }: { step: Step["name"]; page: ChargePageView | undefined }) {
  const [isSharing, setIsSharing] = useState(false)
  if (step === "shop") {
    return (
      <div className="flex flex-wrap gap-2.5 max-md:w-full max-md:*:w-full">
        <Link to="/shop" className={buttonClass("primary")}>
          Montar minha loja
        </Link>
        <Link to="/checkouts/create" className={buttonClass("ghost")}>
          Criar primeira cobrança
        </Link>
      </div>
    )
  }
  if (step === "charge" || page === undefined) {
    return (
      <Link to="/checkouts/create" className={buttonClass("primary", "max-md:w-full")}>
        Criar primeira cobrança
      </Link>
    )
  }
  return (
    <>
      <Button
        variant={step === "share" ? "primary" : "secondary"}
        icon="share"
        className="max-md:w-full"
        onClick={() => setIsSharing(true)}
      >
        {step === "share" ? "Compartilhar cobrança" : "Compartilhar de novo"}
      </Button>
      {isSharing && <ShareDialog page={page} onClose={() => setIsSharing(false)} />}
    </>
  )
}
