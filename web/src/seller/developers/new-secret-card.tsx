import { ShownOnceCard } from "./shown-once-card.tsx"
import type { WebhookSecret } from "./webhooks-data.ts"

const copyTexts = {
  label: "Copiar segredo",
  done: "Segredo copiado",
  failed: "Não foi possível copiar: selecione o segredo e copie",
}

export function NewSecretCard({ shown: { secret, webhook }, onClose }: { shown: WebhookSecret; onClose: () => void }) {
  return (
    <ShownOnceCard
      title="Segredo do webhook"
      value={secret}
      copyTexts={copyTexts}
      keptLabel="Já guardei o segredo"
      onClose={onClose}
    >
      <p className="font-mono text-[13px] break-all text-t2">{webhook.url}</p>
      <p className="text-t2">
        {secret === null
          ? "O pedido foi atendido, mas a resposta se perdeu e o segredo não pode mais ser mostrado. Troque o segredo deste webhook."
          : "Copie o segredo agora: ele não aparece de novo. Com ele, o seu programa confere que um evento veio mesmo daqui."}
      </p>
    </ShownOnceCard>
  )
}
