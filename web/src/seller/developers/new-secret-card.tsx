import { Button } from "#ui/button.tsx"
import { Card, CardHeader } from "#ui/card.tsx"
import { CopyButton } from "#ui/copy-button.tsx"
import type { WebhookSecret } from "./webhooks-data.ts"

/** Stays on the page until it is put away, because a click beside a dialog would lose the secret. */
export function NewSecretCard({ shown: { secret, webhook }, onClose }: { shown: WebhookSecret; onClose: () => void }) {
  return (
    <Card className="mb-5 grid gap-3 p-5" aria-labelledby="new-secret" role="status">
      <CardHeader id="new-secret" title="Segredo do webhook" />
      <p className="font-mono text-[13px] break-all text-t2">{webhook.url}</p>
      {secret === null ? (
        <p className="text-t2">
          O pedido foi atendido, mas a resposta se perdeu e o segredo não pode mais ser mostrado. Troque o segredo deste
          webhook.
        </p>
      ) : (
        <>
          <p className="text-t2">
            Copie o segredo agora: ele não aparece de novo. Com ele, o seu programa confere que um evento veio mesmo
            daqui.
          </p>
          <code className="rounded-m border border-line-2 bg-bg px-3.5 py-3 font-mono text-[13px] break-all">
            {secret}
          </code>
        </>
      )}
      <div className="flex flex-wrap gap-3">
        {secret !== null && (
          <CopyButton
            text={secret}
            label="Copiar segredo"
            done="Segredo copiado"
            failed="Não foi possível copiar: selecione o segredo e copie"
            look="primary"
            className="max-sm:w-full"
          />
        )}
        <Button className="max-sm:w-full" onClick={onClose}>
          {secret === null ? "Entendi" : "Já guardei o segredo"}
        </Button>
      </div>
    </Card>
  )
}
