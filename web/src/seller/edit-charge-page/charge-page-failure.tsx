import { Link } from "@tanstack/react-router"
import { hasStatus } from "#api/api-error.ts"
import { Button, buttonClass } from "#ui/button.tsx"
import { Icon } from "#ui/icon.tsx"
import { PageTitle } from "#ui/page-title.tsx"
import { failureDetail } from "../failure-detail.ts"
import { sellerTexts } from "../seller-texts.ts"

function chargePageFailureText(error: unknown): string {
  if (hasStatus(error, 404)) return sellerTexts.chargePageNotFound
  if (hasStatus(error, 401)) return sellerTexts.sessionExpired
  if (hasStatus(error, 403)) return sellerTexts.chargePageForbidden
  return sellerTexts.chargePageFailed
}

interface Props {
  error: unknown
  busy: boolean
  onRetry: () => void
}

export function ChargePageFailure({ error, busy, onRetry }: Props) {
  const detail = failureDetail(error)
  const canHelp = !hasStatus(error, 404) && !hasStatus(error, 403)
  return (
    <div role="alert" className="mx-auto grid max-w-md justify-items-center gap-4 py-12 text-center">
      <span className="grid size-14 place-items-center rounded-l bg-coral-bg text-coral">
        <Icon name="alert" className="size-6" />
      </span>
      <PageTitle title={chargePageFailureText(error)} documentTitle="Cobrança" className="text-[22px]" />
      {canHelp && detail !== undefined && <p className="text-balance text-t2">{detail}</p>}
      <div className="flex flex-wrap justify-center gap-3">
        <Link to="/checkouts" className={buttonClass("secondary")}>
          <Icon name="arrowLeft" />
          Voltar às cobranças
        </Link>
        {canHelp && (
          <Button look="primary" onClick={onRetry} disabled={busy}>
            Tentar novamente
          </Button>
        )}
      </div>
    </div>
  )
}
