import { useMutation } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import { useState } from "react"
import { detailOf, messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { download } from "#api/download.ts"
import { session } from "#api/session.ts"
import { saoPauloDay } from "#format/dates.ts"
import { Button } from "#ui/button.tsx"
import { Card, CardHeader } from "#ui/card.tsx"
import { ConfirmDialog } from "#ui/dialog.tsx"
import { toast } from "#ui/toast.ts"
import * as sellerTexts from "../seller-texts.ts"

function downloadOwnData(): Promise<void> {
  return download(heads.exportMyData, {}, `meus_dados_${saoPauloDay(new Date())}.zip`)
}

function deleteOwnAccount() {
  return call(heads.deleteMyAccount)
}

export function OwnDataCard() {
  const save = useMutation({
    mutationFn: downloadOwnData,
    onSuccess: () => toast.success(sellerTexts.dataDownloaded),
    onError: (error) => toast.error(messageOf(error, sellerTexts.dataNotDownloaded), detailOf(error)),
  })
  return (
    <Card aria-labelledby="own-data" className="p-5">
      <CardHeader id="own-data" title="Seus dados" />
      <p className="mt-0.5 text-label text-t3">
        Um arquivo ZIP com tudo o que guardamos sobre a sua conta, em planilhas, CSV e JSON.
      </p>
      <a
        href="/privacidade"
        className="inline-flex min-h-11 items-center text-label text-t2 underline underline-offset-4 hover:text-t1"
      >
        Como cuidamos dos seus dados
      </a>
      <Button icon="download" className="mt-2 w-full" disabled={save.isPending} onClick={() => save.mutate()}>
        Baixar meus dados
      </Button>
    </Card>
  )
}

export function DeleteAccountCard() {
  const [asking, setAsking] = useState(false)
  const leave = useDeletion(() => setAsking(false))
  return (
    <Card aria-labelledby="delete-account" className="p-5">
      <CardHeader id="delete-account" title="Excluir a conta" />
      <p className="mt-0.5 text-label text-t3">
        Apaga os seus dados pessoais e encerra as suas cobranças. A conta precisa estar sem saldo e sem nada em
        andamento.
      </p>
      <Button variant="quiet-danger" className="mt-4 w-full" onClick={() => setAsking(true)}>
        Excluir minha conta
      </Button>
      {asking && (
        <ConfirmDialog
          title="Excluir a sua conta?"
          verb="Excluir conta"
          busy={leave.isPending}
          onConfirm={() => leave.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>
            Apagamos o seu nome, e-mail, CPF, telefone, endereço, dados bancários, sessões, chaves e avisos, e as suas
            cobranças terminam. O registro do que foi vendido e pago fica, como a lei manda. Isto não tem volta.
          </p>
          <p className="mt-2">A conta precisa estar sem saldo e sem nada em andamento.</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}

/** The session ended with the account, so the login page is all that is left. */
function useDeletion(onSettled: () => void) {
  return useMutation({
    mutationFn: deleteOwnAccount,
    onSuccess: () => {
      session.close()
      toast.info(sellerTexts.accountDeleted)
    },
    onError: (error) => toast.error(messageOf(error, sellerTexts.accountNotDeleted), detailOf(error)),
    onSettled,
  })
}
