import { Button } from "#ui/button.tsx"
import { Card, CardHeader } from "#ui/card.tsx"
import { CopyButton } from "#ui/copy-button.tsx"
import type { CreatedApiKey } from "./api-keys-data.ts"

/** Stays on the page until it is put away, because a click beside a dialog would lose the key. */
export function NewKeyCard({ created: { key, apiKey }, onClose }: { created: CreatedApiKey; onClose: () => void }) {
  return (
    <Card className="mb-5 grid gap-3 p-5" aria-labelledby="new-key" role="status">
      <CardHeader id="new-key" title={`Chave criada: ${apiKey.name}`} />
      {key === null ? (
        <p className="text-t2">
          A chave foi criada, mas a resposta se perdeu e ela não pode mais ser mostrada. Revogue esta chave e crie
          outra.
        </p>
      ) : (
        <>
          <p className="text-t2">
            Copie a chave agora e guarde em um lugar seguro: ela não aparece de novo. Quem tiver a chave age em nome da
            sua conta.
          </p>
          <code className="rounded-m border border-line-2 bg-bg px-3.5 py-3 font-mono text-[13px] break-all">
            {key}
          </code>
        </>
      )}
      <div className="flex flex-wrap gap-3">
        {key !== null && (
          <CopyButton
            text={key}
            label="Copiar chave"
            done="Chave copiada"
            failed="Não foi possível copiar: selecione a chave e copie"
            look="primary"
            className="max-sm:w-full"
          />
        )}
        <Button className="max-sm:w-full" onClick={onClose}>
          {key === null ? "Entendi" : "Já guardei a chave"}
        </Button>
      </div>
    </Card>
  )
}
