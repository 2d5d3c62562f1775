import { Link } from "@tanstack/react-router"
import type { ChargePageView } from "@tilinta/contract/api/charge-pages-endpoints"
import { useState } from "react"
import { Card, CardHeader } from "#ui/card.tsx"
import { CopyButton } from "#ui/copy-button.tsx"
import { Icon } from "#ui/icon.tsx"
import { IconButton, iconButtonClass } from "#ui/icon-button.tsx"
import { lazyDialog } from "#ui/lazy-part.tsx"
import { RowText } from "#ui/row-text.tsx"
import { Reais } from "#ui/shown-amounts.ts"
import { RowsSkeleton } from "#ui/skeleton.tsx"
import { publicLinkOf } from "../charge-page-parts/public-link.ts"
import { sellerTexts } from "../seller-texts.ts"
import { shownRows } from "./dashboard-data.ts"
import { FirstChargePage } from "./first-charge-page.tsx"

const ShareDialog = lazyDialog(() =>
  import("../charge-page-parts/share-dialog.tsx").then((module) => module.ShareDialog),
)

export function RecentChargePages({
  pages,
  waiting,
}: {
  pages: readonly ChargePageView[] | undefined
  waiting: boolean
}) {
  const [shared, setShared] = useState<ChargePageView | null>(null)
  return (
    <Card className="p-2 pt-[18px]">
      <div className="px-4 pb-2 max-md:px-3">
        <CardHeader title="Cobranças recentes" id="recent-charges">
          <Link
            to="/checkouts"
            className="-my-2.5 inline-flex min-h-11 items-center text-label font-semibold text-mint underline-offset-4 hover:underline"
          >
            Ver todas
          </Link>
        </CardHeader>
      </div>
      {waiting && <RowsSkeleton rows={shownRows} label="Carregando cobranças" />}
      {pages !== undefined && pages.length > 0 && (
        <ul aria-labelledby="recent-charges" className="max-h-[400px] overflow-y-auto">
          {pages.slice(0, shownRows).map((page) => (
            <RecentChargePage key={page._id} page={page} onShare={() => setShared(page)} />
          ))}
        </ul>
      )}
      {pages === undefined && !waiting && <p className="px-4 pb-6 text-t3">Indisponível no momento.</p>}
      {pages?.length === 0 && (
        <FirstChargePage icon="file" title="Você ainda não criou cobranças">
          Crie um link, envie ao cliente e receba por Pix.
        </FirstChargePage>
      )}
      {shared !== null && <ShareDialog page={shared} onClose={() => setShared(null)} />}
    </Card>
  )
}

function RecentChargePage({ page, onShare }: { page: ChargePageView; onShare: () => void }) {
  const payments = page.paymentsCount === 1 ? "1 pagamento" : `${page.paymentsCount} pagamentos`
  return (
    <li className="flex min-h-[67px] items-center justify-between gap-2 border-t border-line py-2 pr-1 pl-4 max-md:pl-3">
      <Link to="/checkouts/$id" params={{ id: page._id }} className="row-link flex-1 tabular-nums">
        <RowText
          title={page.title}
          note={
            <>
              <Reais>{page.amount}</Reais> · {payments}
            </>
          }
        />
      </Link>
      <div className="flex flex-none">
        <CopyButton
          text={publicLinkOf(page.uniqueLink)}
          label={`Copiar link de ${page.title}`}
          done={sellerTexts.linkCopied}
          failed={sellerTexts.dashboardLinkNotCopied}
        />
        <IconButton icon="share" label={`Compartilhar ${page.title}`} title="Compartilhar" onClick={onShare} />
        <a
          href={publicLinkOf(page.uniqueLink)}
          target="_blank"
          rel="noreferrer"
          aria-label={`Visualizar ${page.title} em nova aba`}
          title="Visualizar"
          className={iconButtonClass}
        >
          <Icon name="open" />
        </a>
      </div>
    </li>
  )
}
