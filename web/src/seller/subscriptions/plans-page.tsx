import { useQuery } from "@tanstack/react-query"
import type { PlanView } from "@tilinta/contract/subscriptions"
import { useState } from "react"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Badge } from "#ui/badge.tsx"
import { Button } from "#ui/button.tsx"
import { Card, EmptyState, QueryFailure, RowsSkeleton } from "#ui/card.tsx"
import { CopyButton } from "#ui/copy-button.tsx"
import { lazyDialog } from "#ui/lazy-part.tsx"
import { ScreenHead } from "#ui/tabs.tsx"
import { SubscriptionTabs } from "./subscription-tabs.tsx"
import { plansQuery, priceText } from "./subscriptions-data.ts"

const PlanDialog = lazyDialog(() => import("./plan-dialog.tsx"), "PlanDialog")

/** Each plan with the link by which customers subscribe. */
export function PlansPage() {
  const plans = useQuery(plansQuery())
  const [opened, setOpened] = useState<PlanView | "new" | null>(null)
  return (
    <>
      <ScreenHead
        title="Planos"
        section="Assinaturas"
        intro="Envie o link de um plano: o cliente assina sozinho e já paga a primeira vez."
        tabs={<SubscriptionTabs open="plans" />}
        actions={
          <Button variant="primary" icon="plus" onClick={() => setOpened("new")}>
            Novo plano
          </Button>
        }
      />
      <QueryFailure query={plans} failed={sellerTexts.plansFailed} />
      {plans.isPending && <RowsSkeleton rows={3} label="Carregando planos" />}
      {plans.data?.length === 0 && (
        <Card>
          <EmptyState icon="shop" title="Nenhum plano ainda">
            Dê um nome e um valor, e envie o link a quem quiser assinar.
          </EmptyState>
        </Card>
      )}
      <ul className="grid gap-4 md:grid-cols-2">
        {(plans.data ?? []).map((plan) => (
          <li key={plan._id}>
            <PlanCard plan={plan} onEdit={() => setOpened(plan)} />
          </li>
        ))}
      </ul>
      {opened !== null && <PlanDialog plan={opened === "new" ? null : opened} onClose={() => setOpened(null)} />}
    </>
  )
}

function PlanCard({ plan, onEdit }: { plan: PlanView; onEdit: () => void }) {
  const { title, description, status, subscriptions, link } = plan
  const count = subscriptions === 1 ? "1 assinante" : `${subscriptions} assinantes`
  return (
    <Card className="grid h-full content-between gap-4 p-5 md:p-6">
      <div className="grid gap-1.5">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h2 className="min-w-0 text-section font-[650] break-words">{title}</h2>
          {status === "archived" && <Badge tone="secondary">Arquivado</Badge>}
        </div>
        <p className="font-semibold tabular-nums">{priceText(plan)}</p>
        {description !== "" && <p className="break-words text-t2">{description}</p>}
        <p className="text-meta text-t3">{count}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        {status === "active" && (
          <CopyButton
            variant="secondary"
            text={link}
            label="Copiar link"
            done={sellerTexts.linkCopied}
            failed={sellerTexts.listLinkNotCopied}
          />
        )}
        <Button icon="edit" onClick={onEdit} aria-label={`Editar ${title}`}>
          Editar
        </Button>
      </div>
    </Card>
  )
}
