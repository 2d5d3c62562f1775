import { useMutation, useQueryClient } from "@tanstack/react-query"
import { Link, useNavigate, useRouterState } from "@tanstack/react-router"
import type { ChargePageView } from "@tilinta/contract/charge-pages"
import * as heads from "@tilinta/contract/heads"
import { isPayablePage } from "@tilinta/contract/vocabulary/charge-pages"
import { type ReactNode, useState } from "react"
import { detailOf, messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { formatDateTime } from "#format/dates.ts"
import { PageAmount } from "#parts/charge-pages/charge-page-parts.tsx"
import {
  chargePageQuery,
  chargePagesKey,
  publicLinkOf,
  shortLinkOf,
} from "#seller/charge-page-parts/charge-pages-data.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Button, buttonClass } from "#ui/button.tsx"
import { Card, CardHeader } from "#ui/card.tsx"
import { CopyButton } from "#ui/copy-button.tsx"
import { ConfirmDialog } from "#ui/dialog.tsx"
import { Icon } from "#ui/icon.tsx"
import { lazyDialog } from "#ui/lazy-part.tsx"
import { toast } from "#ui/toast.ts"

export function ChargePageFacts({ page }: { page: ChargePageView }) {
  const limit = page.maxPayments === null ? "(sem limite)" : `de ${page.maxPayments}`
  return (
    <Card className="p-5 md:p-6">
      <CardHeader title="Detalhes" />
      <dl className="mt-3 grid gap-2.5 text-label">
        <div>
          <dt className="text-t3">Link</dt>
          <dd className="font-medium wrap-anywhere">
            {shortLinkOf("")}
            <wbr />
            {page.uniqueLink}
          </dd>
        </div>
        <Fact term="Pagamentos">
          {page.paymentsCount === 0 ? (
            page.paymentsCount
          ) : (
            <Link
              to="/transactions"
              search={{ checkoutPage: page._id, status: "aprovado" }}
              className="-my-3 inline-flex min-h-11 min-w-11 items-center justify-end font-semibold text-mint underline-offset-4 hover:underline"
            >
              {page.paymentsCount}
            </Link>
          )}{" "}
          {limit}
        </Fact>
        <Fact term="Criada em">{formatDateTime(page.createdAt)}</Fact>
        <Fact term="Expira em">{page.expiresAt === null ? "Não definida" : formatDateTime(page.expiresAt)}</Fact>
      </dl>
    </Card>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-5">
      <dt className="flex-none text-t3">{term}</dt>
      <dd className="text-right font-medium tabular-nums">{children}</dd>
    </div>
  )
}

const ShareDialog = lazyDialog(() => import("../charge-page-parts/share-dialog.tsx"), "ShareDialog")

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** Set where a charge page was just created: it is shared at once. */
    isNew?: true
  }
}

export function ChargePageActions({ page }: { page: ChargePageView }) {
  const isNew = useRouterState({ select: ({ location }) => location.state.isNew === true })
  const navigate = useNavigate()
  const [isAsked, setIsAsked] = useState(false)
  const [asking, setAsking] = useState(false)
  const link = publicLinkOf(page.uniqueLink)

  function endSharing(): void {
    setIsAsked(false)
    if (isNew) void navigate({ to: ".", replace: true, state: {} })
  }

  return (
    <div className="flex flex-wrap gap-2.5 max-sm:grid max-sm:w-full max-sm:grid-cols-2">
      {isPayablePage(page.status) && page.suspendedAt === null && (
        <Button icon="share" onClick={() => setIsAsked(true)}>
          Compartilhar
        </Button>
      )}
      <CopyButton
        variant="secondary"
        className="whitespace-nowrap"
        text={link}
        label="Copiar link"
        done={sellerTexts.linkCopied}
        failed={sellerTexts.listLinkNotCopied}
      />
      <a href={link} target="_blank" rel="noreferrer" className={buttonClass("secondary")}>
        <Icon name="open" />
        Visualizar
      </a>
      <Button variant="quiet-danger" icon="trash" className="max-sm:odd:col-span-2" onClick={() => setAsking(true)}>
        Excluir
      </Button>
      {(isNew || isAsked) && <ShareDialog page={page} onClose={endSharing} />}
      {asking && <DeleteDialog page={page} onClose={() => setAsking(false)} />}
    </div>
  )
}

function DeleteDialog({ page, onClose }: { page: ChargePageView; onClose: () => void }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => call(heads.deleteChargePage, { params: { id: page._id } }),
    onSuccess: async () => {
      toast.success(sellerTexts.chargePageDeleted)
      await navigate({ to: "/checkouts" })
      queryClient.removeQueries({ queryKey: chargePageQuery(page._id).queryKey })
      await queryClient.invalidateQueries({ queryKey: chargePagesKey })
    },
    onError: (error) => {
      toast.error(messageOf(error, sellerTexts.chargePageNotDeleted), detailOf(error))
      onClose()
    },
  })

  return (
    <ConfirmDialog
      title="Excluir cobrança?"
      verb="Excluir cobrança"
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>
        <b className="font-semibold text-t1">{page.title}</b>, de{" "}
        <b className="font-semibold whitespace-nowrap text-t1 tabular-nums">
          <PageAmount amount={page.amount} />
        </b>
        , e os links dela deixarão de existir.
      </p>
      <p>Esta ação é irreversível. As transações continuam no seu histórico.</p>
    </ConfirmDialog>
  )
}
