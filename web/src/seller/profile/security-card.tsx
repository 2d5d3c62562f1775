import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import { detailOf, messageOf } from "#api/api-error.ts"
import { formatDateTime } from "#format/dates.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Button } from "#ui/button.tsx"
import { Card, CardHeader, QueryFailure } from "#ui/card.tsx"
import { ConfirmDialog } from "#ui/dialog.tsx"
import { Skeleton } from "#ui/lazy-part.tsx"
import { toast } from "#ui/toast.ts"
import { PasskeysPart } from "./passkeys-part.tsx"
import {
  type BegunTotp,
  beginTotp,
  factorsQuery,
  type KnownFactors,
  removeTotp,
  renewRecoveryCodes,
  sessionsQuery,
} from "./security-data.ts"
import { RecoveryCodesDialog, TotpDialog } from "./totp-dialog.tsx"

type Step =
  | { name: "begun"; begun: BegunTotp }
  | { name: "codes"; codes: string[] }
  | { name: "removing" }
  | { name: "renewing" }

function useFactorChanges() {
  const queryClient = useQueryClient()
  const [step, setStep] = useState<Step | null>(null)
  const close = () => setStep(null)
  const onError = (error: Error) => toast.error(messageOf(error, sellerTexts.factorNotChanged), detailOf(error))
  const begin = useMutation({
    mutationFn: beginTotp,
    onSuccess: (begun) => setStep({ name: "begun", begun }),
    onError,
  })
  const remove = useMutation({
    mutationFn: removeTotp,
    onSuccess: () => toast.success(sellerTexts.factorRemoved, "As outras sessões foram encerradas."),
    onError,
    onSettled: changed,
  })
  const renew = useMutation({
    mutationFn: renewRecoveryCodes,
    onSuccess: (codes) => setStep({ name: "codes", codes }),
    onError,
    onSettled: () => queryClient.invalidateQueries({ queryKey: factorsQuery.queryKey }),
  })

  async function changed(): Promise<void> {
    close()
    await Promise.all([factorsQuery, sessionsQuery].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })))
  }

  async function enrolled(codes: string[]): Promise<void> {
    toast.success(sellerTexts.factorAdded, "As outras sessões foram encerradas.")
    await changed()
    showCodes(codes)
  }

  /** They come with the first second factor alone. */
  function showCodes(codes: string[]): void {
    if (codes.length > 0) setStep({ name: "codes", codes })
  }

  return { step, setStep, close, begin, remove, renew, enrolled, showCodes }
}

/** The second factor of the account. What changes it asks who it is first, over this screen. */
export function SecurityCard() {
  const factors = useQuery(factorsQuery)
  const changes = useFactorChanges()
  return (
    <Card aria-labelledby="second-factor" className="p-5">
      <CardHeader id="second-factor" title="Segundo fator" />
      <p className="mt-0.5 text-label text-t3">Com um segundo fator, a senha sozinha não abre a sua conta.</p>
      <QueryFailure query={factors} failed={sellerTexts.factorsFailed} detailed className="mt-4" />
      <PasskeysPart onRecoveryCodes={changes.showCodes} />
      {factors.isPending && <Waiting />}
      {factors.data !== undefined && <Factors factors={factors.data} changes={changes} />}
      <Dialogs changes={changes} hasPasskey={(factors.data?.passkeys ?? 0) > 0} />
    </Card>
  )
}

type Changes = ReturnType<typeof useFactorChanges>

function Factors({ factors, changes }: { factors: KnownFactors; changes: Changes }) {
  const { begin, setStep } = changes
  return (
    <ul>
      <Factor
        name="Aplicativo autenticador"
        state={factors.totp === null ? null : `Ativo desde ${formatDateTime(factors.totp.enrolledAt)}`}
        missing="Um código novo a cada 30 segundos, no seu celular."
      >
        {factors.totp === null ? (
          <Button variant="secondary" className="w-full" disabled={begin.isPending} onClick={() => begin.mutate()}>
            Ativar aplicativo autenticador
          </Button>
        ) : (
          <Button variant="quiet-danger" className="w-full" onClick={() => setStep({ name: "removing" })}>
            Desativar
          </Button>
        )}
      </Factor>
      {(factors.totp !== null || factors.passkeys > 0) && (
        <Factor name="Códigos de recuperação" state={leftOf(factors.recoveryCodesLeft)} missing="">
          <Button className="w-full" onClick={() => setStep({ name: "renewing" })}>
            Gerar novos códigos
          </Button>
        </Factor>
      )}
    </ul>
  )
}

function Dialogs({ changes, hasPasskey }: { changes: Changes; hasPasskey: boolean }) {
  const { step, close, remove, renew, enrolled } = changes
  return (
    <>
      {step?.name === "begun" && (
        <TotpDialog begun={step.begun} onEnrolled={(codes) => void enrolled(codes)} onClose={close} />
      )}
      {step?.name === "codes" && <RecoveryCodesDialog codes={step.codes} onClose={close} />}
      {step?.name === "removing" && (
        <ConfirmDialog
          title="Desativar o aplicativo autenticador?"
          verb="Desativar"
          busy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={close}
        >
          <p>
            {hasPasskey
              ? "Com a senha, a conta passa a pedir a sua chave de acesso. Os códigos de recuperação continuam valendo."
              : "A senha volta a bastar para entrar, e os códigos de recuperação deixam de valer."}
          </p>
        </ConfirmDialog>
      )}
      {step?.name === "renewing" && (
        <ConfirmDialog
          title="Gerar novos códigos de recuperação?"
          verb="Gerar novos códigos"
          variant="primary"
          busy={renew.isPending}
          onConfirm={() => renew.mutate()}
          onClose={close}
        >
          <p>Os códigos que você guardou antes deixam de valer na hora.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

function leftOf(count: number): string {
  if (count === 0) return "Nenhum restante: gere novos"
  return count === 1 ? "Resta 1 de 10" : `Restam ${count} de 10`
}

interface FactorProps {
  name: string
  /** Null while it isn't enrolled. */
  state: string | null
  missing: string
  children: ReactNode
}

function Factor({ name, state, missing, children }: FactorProps) {
  return (
    <li className="grid gap-3 border-b border-line py-4 last:border-0 last:pb-0">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <p className="font-semibold">{name}</p>
          <p className="text-meta text-t3 tabular-nums">{state ?? missing}</p>
        </div>
      </div>
      {children}
    </li>
  )
}

function Waiting() {
  return (
    <div role="status" className="after-a-moment mt-4 grid gap-3">
      <span className="sr-only">Carregando a segurança da conta</span>
      <Skeleton className="h-12 w-full" />
    </div>
  )
}
