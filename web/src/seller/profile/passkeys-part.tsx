import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import type { PasskeyCreationOptions, PasskeyView } from "@tilinta/contract/passkeys"
import { deviceName } from "@tilinta/contract/vocabulary/people"
import { useState } from "react"
import { detailOf, messageOf } from "#api/api-error.ts"
import { offersPasskeys } from "#api/passkeys.ts"
import { formatDateTime } from "#format/dates.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Badge } from "#ui/badge.tsx"
import { Button } from "#ui/button.tsx"
import { QueryFailure } from "#ui/card.tsx"
import { ConfirmDialog } from "#ui/dialog.tsx"
import { Skeleton } from "#ui/lazy-part.tsx"
import { RowMenu, RowMenuItem } from "#ui/menu.tsx"
import { toast } from "#ui/toast.ts"
import { PasskeyNameDialog } from "./passkey-name-dialog.tsx"
import {
  addPasskey,
  beginPasskey,
  factorsQuery,
  passkeysQuery,
  removePasskey,
  renamePasskey,
  sessionsQuery,
} from "./security-data.ts"

const MOST_PASSKEYS = 10

type Step =
  | { name: "naming"; options: PasskeyCreationOptions }
  | { name: "renaming"; passkey: PasskeyView }
  | { name: "removing"; passkey: PasskeyView }

function usePasskeyChanges(onRecoveryCodes: (codes: string[]) => void) {
  const queryClient = useQueryClient()
  const [step, setStep] = useState<Step | null>(null)
  const close = () => setStep(null)
  const onError = (error: Error) => toast.error(messageOf(error, sellerTexts.factorNotChanged), detailOf(error))
  const begin = useMutation({
    mutationFn: beginPasskey,
    onSuccess: (options) => setStep({ name: "naming", options }),
    onError,
  })
  const remove = useMutation({
    mutationFn: removePasskey,
    onSuccess: () => toast.success(sellerTexts.passkeyRemoved, "As outras sessões foram encerradas."),
    onError,
    onSettled: changed,
  })

  async function changed(): Promise<void> {
    close()
    const queries = [passkeysQuery, factorsQuery, sessionsQuery]
    await Promise.all(queries.map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })))
  }

  async function add(options: PasskeyCreationOptions, name: string): Promise<void> {
    const codes = await addPasskey(options, name)
    toast.success(sellerTexts.passkeyAdded, "As outras sessões foram encerradas.")
    await changed()
    if (codes.length > 0) onRecoveryCodes(codes)
  }

  async function rename({ _id }: PasskeyView, name: string): Promise<void> {
    await renamePasskey(_id, name)
    await changed()
  }

  return { step, setStep, close, begin, add, rename, remove }
}

type Changes = ReturnType<typeof usePasskeyChanges>

/** The passkeys of the account, each with its own life. */
export function PasskeysPart({ onRecoveryCodes }: { onRecoveryCodes: (codes: string[]) => void }) {
  const known = useQuery(passkeysQuery)
  const changes = usePasskeyChanges(onRecoveryCodes)
  const isFull = (known.data?.passkeys.length ?? 0) >= MOST_PASSKEYS
  const obstacle = known.data === undefined ? null : obstacleTo(known.data.origin)
  return (
    <section aria-labelledby="passkeys" className="mt-2 grid gap-3 border-b border-line py-4">
      <div>
        <h3 id="passkeys" className="font-semibold">
          Chaves de acesso (passkeys)
        </h3>
        <p className="text-meta text-t3">Entre com a digital, o rosto ou o PIN do aparelho, sem senha nem código.</p>
      </div>
      <QueryFailure query={known} failed={sellerTexts.passkeysFailed} detailed />
      {known.isPending && (
        <div role="status" className="after-a-moment">
          <span className="sr-only">Carregando as chaves de acesso</span>
          <Skeleton className="h-11 w-full" />
        </div>
      )}
      {known.data !== undefined && known.data.passkeys.length > 0 && (
        <ul>
          {known.data.passkeys.map((passkey) => (
            <PasskeyRow key={passkey._id} passkey={passkey} changes={changes} />
          ))}
        </ul>
      )}
      {obstacle !== null && <p className="text-meta text-amber">{obstacle}</p>}
      {known.data !== undefined && obstacle === null && (
        <Button className="w-full" disabled={changes.begin.isPending || isFull} onClick={() => changes.begin.mutate()}>
          Criar chave de acesso
        </Button>
      )}
      {isFull && <p className="text-meta text-t3">São dez no máximo: remova uma antes de criar outra.</p>}
      <Dialogs changes={changes} />
    </section>
  )
}

/** Why no passkey can be made here and now. */
export function obstacleTo(origin: string | null): string | null {
  if (origin === null) {
    return "O endereço desta instalação é um número ou não tem https, e navegadores só aceitam chaves de acesso em um nome de domínio."
  }
  if (origin !== location.origin) {
    return `Chaves de acesso só funcionam em ${origin}, e você abriu ${location.origin}. Entre por lá para criar uma.`
  }
  return offersPasskeys() ? null : "Este navegador não oferece chaves de acesso."
}

function PasskeyRow({ passkey, changes: { setStep } }: { passkey: PasskeyView; changes: Changes }) {
  const { name, createdAt, lastUsedAt, answersHere } = passkey
  return (
    <li className="flex items-start justify-between gap-3 py-2 first:pt-0">
      <div className="min-w-0">
        <p className="font-medium break-words">{name}</p>
        <p className="text-meta text-t3 tabular-nums">Criada em {formatDateTime(createdAt)}</p>
        <p className="text-meta text-t3 tabular-nums">
          {lastUsedAt === null ? "Ainda não usada" : `Usada em ${formatDateTime(lastUsedAt)}`}
        </p>
        {!answersHere && (
          <div className="mt-1.5">
            <Badge tone="warning">De outro endereço</Badge>
          </div>
        )}
      </div>
      <RowMenu of={name}>
        <RowMenuItem icon="edit" onClick={() => setStep({ name: "renaming", passkey })}>
          Renomear
        </RowMenuItem>
        <RowMenuItem icon="trash" isDanger onClick={() => setStep({ name: "removing", passkey })}>
          Remover
        </RowMenuItem>
      </RowMenu>
    </li>
  )
}

function Dialogs({ changes: { step, close, add, rename, remove } }: { changes: Changes }) {
  return (
    <>
      {step?.name === "naming" && (
        <PasskeyNameDialog
          title="Criar chave de acesso"
          initial={deviceName(navigator.userAgent)}
          verb="Criar"
          busyVerb="Esperando o aparelho..."
          onSend={(name) => add(step.options, name)}
          onClose={close}
        >
          <p className="text-t2">
            O navegador vai pedir a digital, o rosto ou o PIN. A chave fica no aparelho, ou na conta que guarda as suas
            senhas; nós só recebemos a parte que confere.
          </p>
        </PasskeyNameDialog>
      )}
      {step?.name === "renaming" && (
        <PasskeyNameDialog
          title="Renomear chave de acesso"
          initial={step.passkey.name}
          verb="Salvar"
          busyVerb="Salvando..."
          onSend={(name) => rename(step.passkey, name)}
          onClose={close}
        />
      )}
      {step?.name === "removing" && (
        <ConfirmDialog
          title={`Remover “${step.passkey.name}”?`}
          verb="Remover"
          busy={remove.isPending}
          onConfirm={() => remove.mutate(step.passkey._id)}
          onClose={close}
        >
          <p>
            Ela deixa de abrir esta conta na hora, e as outras sessões são encerradas. Apague-a também no aparelho, para
            que ele não a ofereça mais.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
