import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { renewUser } from "#api/session.ts"
import { Button } from "#ui/button.tsx"
import { Card, CardHeader, EmptyState, QueryFailure, RowsSkeleton } from "#ui/card.tsx"
import { lazyDialog } from "#ui/lazy-part.tsx"
import { toast } from "#ui/toast.ts"
import * as sellerTexts from "../seller-texts.ts"
import { type ReturnOriginsWithKey, returnOriginsQuery } from "./developers-data.ts"

const OriginsDialog = lazyDialog(() => import("./return-origins-dialog.tsx"), "OriginsDialog")
const RotateKeyDialog = lazyDialog(() => import("./return-origins-dialog.tsx"), "RotateKeyDialog")

/** The sites to which payers may go back, and the key by which these know that the payment is true. */
export function ReturnOriginsCard({ onKey }: { onKey: (key: string | null) => void }) {
  const queryClient = useQueryClient()
  const known = useQuery(returnOriginsQuery)
  const { data, isPending } = known
  const [asking, setAsking] = useState<"origins" | "key" | null>(null)
  const close = () => setAsking(null)

  function save({ signingKey, ...changed }: ReturnOriginsWithKey, said: string): void {
    queryClient.setQueryData(returnOriginsQuery.queryKey, changed)
    // A first site makes the shop one with orders of its own system.
    void renewUser().catch(() => undefined)
    if (signingKey !== null || asking === "key") onKey(signingKey)
    toast.success(said)
    close()
  }

  return (
    <Card className="p-5" aria-labelledby="return-origins">
      <CardHeader id="return-origins" title="Retorno à loja">
        {data !== undefined && data.origins.length > 0 && (
          <Button onClick={() => setAsking("origins")}>Alterar sites</Button>
        )}
      </CardHeader>
      <p className="mt-1 text-label text-t3">
        Depois de pagar, o cliente volta ao endereço que a cobrança indica, se o site estiver nesta lista.
      </p>
      <QueryFailure query={known} failed={sellerTexts.returnOriginsFailed} detailed className="mt-4" />
      {isPending && <RowsSkeleton rows={2} label="Carregando sites" />}
      {data?.origins.length === 0 && (
        <EmptyState
          icon="open"
          title="Nenhum site permitido"
          action={
            <Button variant="secondary" icon="plus" onClick={() => setAsking("origins")}>
              Permitir um site
            </Button>
          }
        >
          Sem um site na lista, a cobrança termina no comprovante.
        </EmptyState>
      )}
      {data !== undefined && data.origins.length > 0 && (
        <ul className="mt-3 grid divide-y divide-line">
          {data.origins.map((origin) => (
            <li key={origin} className="py-2.5 font-mono text-[13px] break-all text-t2">
              {origin}
            </li>
          ))}
        </ul>
      )}
      {data?.hasKey === true && <SigningKey onRotate={() => setAsking("key")} />}
      {asking === "origins" && data !== undefined && (
        <OriginsDialog
          origins={data.origins}
          onSaved={(changed) => save(changed, sellerTexts.returnOriginsSaved)}
          onClose={close}
        />
      )}
      {asking === "key" && (
        <RotateKeyDialog onSaved={(changed) => save(changed, sellerTexts.returnKeyRotated)} onClose={close} />
      )}
    </Card>
  )
}

function SigningKey({ onRotate }: { onRotate: () => void }) {
  return (
    <div className="mt-4 grid gap-3 border-t border-line pt-4">
      <div>
        <h3 className="text-label font-semibold text-t2">Chave de assinatura</h3>
        <p className="mt-1 text-meta text-t3">
          Confira com ela a <code>signature</code> do retorno: HMAC-SHA256, em hexadecimal, de{" "}
          <code className="break-all">{"{t}.{transactionId}.{status}.{reference}"}</code>. Ela só aparece quando é
          criada; se você a perdeu, troque.
        </p>
      </div>
      <div>
        <Button variant="quiet-danger" onClick={onRotate}>
          Trocar chave
        </Button>
      </div>
    </div>
  )
}
