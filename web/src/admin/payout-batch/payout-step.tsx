import { useMutation, useQuery } from "@tanstack/react-query"
import type { AdminWithdrawalView, PayoutClaim } from "@tilinta/contract/admin-withdrawals"
import type { claimWithdrawalEndpoint } from "@tilinta/contract/hand-payouts"
import { documentText } from "@tilinta/contract/vocabulary/typed-data"
import { BANK_ID_MAX, bankIdIn, destinationOwnerLabels } from "@tilinta/contract/vocabulary/withdrawals"
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import { DecisionDialog } from "#admin/withdrawals/withdrawal-decision-dialog.tsx"
import { failureText } from "#api/api-error.ts"
import type { ReplyOf } from "#api/client.ts"
import { formatDateTime, formatDay } from "#format/dates.ts"
import { formatReais } from "#format/money-text.ts"
import { wholeDestination } from "#format/withdrawal-texts.ts"
import { useShortcut } from "#ui/browser-hooks.ts"
import { Button } from "#ui/button.tsx"
import { Card } from "#ui/card.tsx"
import { CopyButton } from "#ui/copy-button.tsx"
import { Field, FormAlert, TextInput } from "#ui/field.tsx"
import { Kbd } from "#ui/row-keys.tsx"
import { type Attempt, claimQuery, markPaid, release } from "./batch-data.ts"

export type Outcome = "paid" | "skipped" | "failed" | "pending"

const overTexts = {
  paid: "pago.",
  failed: "deu errado, e não se paga.",
  pending: "deu errado, e espera outra pessoa para voltar ao saldo.",
} as const

interface Props {
  withdrawal: AdminWithdrawalView
  position: number
  count: number
  /** The outcome before somebody went back to it. */
  outcome: Outcome | null
  /** Goes on to the next; null keeps what is known. */
  onOutcome: (outcome: Outcome | null) => void
  onBack: (() => void) | null
}

export function PayoutStep(props: Props) {
  const { withdrawal, position, count, outcome, onOutcome, onBack } = props
  const over = outcome === null || outcome === "skipped" ? null : overTexts[outcome]
  return (
    <Card className="grid gap-5 p-5 md:p-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <p role="status" className="min-w-0 text-label font-semibold wrap-anywhere text-t2">
          {position + 1} de {count}
          {over === null && <> · {withdrawal.user.name}</>}
        </p>
        <p className="text-h1 font-bold tabular-nums">{formatReais(withdrawal.amount)}</p>
      </div>
      {over !== null ? (
        <>
          <p className="text-t2">
            {withdrawal.user.name}: {over}
          </p>
          <div className="flex flex-wrap gap-3">
            {onBack !== null && <Button onClick={onBack}>Voltar</Button>}
            <Button variant="primary" autoFocus onClick={() => onOutcome(null)}>
              Seguir
            </Button>
          </div>
        </>
      ) : (
        <OpenPayout {...props} />
      )}
    </Card>
  )
}

const REFLEX_MS = 1000

function OpenPayout({ withdrawal, onOutcome, onBack }: Props) {
  const { _id: id } = withdrawal
  const [attempt, setAttempt] = useState<Attempt>({ at: 0, checked: false, holder: null })
  const claimed = useQuery(claimQuery(id, attempt))
  const [bankId, setBankId] = useState("")
  const [isFailing, setIsFailing] = useState(false)
  const claim = claimed.data?.claim ?? null
  const isExpired = useIsOver(claim)
  const shown = claim === null || isExpired ? null : (claimed.data ?? null)
  const isShown = shown !== null
  const doubt = isExpired ? expired : claimed.data === undefined ? null : doubtAbout(claimed.data)
  const isDoubtful = doubt !== null
  const paid = useMutation({ mutationFn: () => markPaid(id, bankId), onSuccess: () => onOutcome("paid") })
  const left = useMutation({
    mutationFn: async (way: "skip" | "back") => {
      // A compared holder that was refused leaves the claim.
      if (isShown || attempt.holder !== null) await release(id)
      return way
    },
    onSuccess: (way) => (way === "back" && onBack !== null ? onBack() : onOutcome("skipped")),
  })
  const isBusy = paid.isPending || left.isPending || claimed.isFetching
  const shownAt = useRef(0)
  // Nobody reads, scans and pays so fast: a key or button pressed twice is no second payment.
  const isReflex = () => performance.now() - shownAt.current <= REFLEX_MS
  const pay = () => isShown && !isBusy && !isReflex() && paid.mutate()
  const payButton = useRef<HTMLButtonElement>(null)
  useShortcut(" ", pay)
  useLayoutEffect(() => {
    if (isShown || isDoubtful) shownAt.current = performance.now()
    if (isShown) payButton.current?.focus({ preventScroll: true })
  }, [isShown, isDoubtful])
  const failure = [claimed.error, paid.error, left.error].find((error) => error !== null) ?? null
  return (
    <>
      <FormAlert message={failureText(failure, adminTexts.withdrawalNotDecided)} />
      {doubt !== null && (
        <Doubt
          text={doubt}
          onPaid={() => isBusy || isReflex() || paid.mutate()}
          onUnpaid={() => isBusy || setAttempt({ at: attempt.at + 1, checked: true, holder: null })}
        />
      )}
      {shown !== null && (
        <HolderCheck
          payout={shown}
          isCompared={attempt.holder !== null}
          busy={isBusy}
          onCompare={(holder) => setAttempt({ ...attempt, at: attempt.at + 1, holder })}
        />
      )}
      {shown !== null && (
        <HowToPay payout={shown}>
          <BankIdField value={bankId} onChange={setBankId} />
        </HowToPay>
      )}
      <div className="flex flex-wrap gap-3">
        {isShown && (
          <Button
            ref={payButton}
            variant="primary"
            icon="check"
            className="flex-1"
            aria-disabled={isBusy}
            onClick={pay}
          >
            Paguei
            <span className="max-md:hidden">
              <Kbd>espaço</Kbd>
            </span>
          </Button>
        )}
        {onBack !== null && (
          <Button aria-disabled={isBusy} onClick={() => isBusy || left.mutate("back")}>
            Voltar
          </Button>
        )}
        <Button aria-disabled={isBusy} onClick={() => isBusy || left.mutate("skip")}>
          Pular
        </Button>
        {isShown && (
          <Button variant="quiet-danger" aria-disabled={isBusy} onClick={() => isBusy || setIsFailing(true)}>
            Deu errado
          </Button>
        )}
      </div>
      {isFailing && (
        <DecisionDialog
          decision="return"
          withdrawal={withdrawal}
          onOutrun={() => onOutcome("skipped")}
          onDecided={(isPending) => onOutcome(isPending ? "pending" : "failed")}
          onClose={() => setIsFailing(false)}
        />
      )}
    </>
  )
}

function BankIdField({ value, onChange }: { value: string; onChange: (bankId: string) => void }) {
  const [isMissing, setIsMissing] = useState(false)
  return (
    <Field
      label="Identificador do banco"
      aside="opcional"
      hint={
        isMissing
          ? "Este comprovante não traz o ID do Pix: escreva o número da transferência."
          : "O ID da transação, ou o texto inteiro do comprovante."
      }
    >
      {(control) => (
        <TextInput
          {...control}
          value={value}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
          onPaste={(event) => {
            event.preventDefault()
            const pasted = bankIdIn(event.clipboardData.getData("text"))
            const isReceipt = pasted.length > BANK_ID_MAX
            setIsMissing(isReceipt)
            onChange(isReceipt ? "" : pasted)
          }}
        />
      )}
    </Field>
  )
}

interface HolderCheckProps {
  payout: Payout
  isCompared: boolean
  busy: boolean
  onCompare: (holder: { name: string; document: string }) => void
}

/** Typed once for each destination, before its first payment. */
function HolderCheck({ payout, isCompared, busy, onCompare }: HolderCheckProps) {
  const [holder, setHolder] = useState({ name: "", document: "" })
  const isWhole = holder.name.trim() !== "" && holder.document.trim() !== ""
  if (isCompared) {
    return (
      <p role="status" className="font-semibold">
        {destinationOwnerLabels[payout.withdrawal.owner]}.
      </p>
    )
  }
  if (!payout.asksHolder) return null
  return (
    <form
      className="grid gap-3 rounded-l border border-line-2 bg-amber-bg px-5 py-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (isWhole && !busy) onCompare(holder)
      }}
    >
      <p>
        <b className="font-semibold">Confira o titular antes de pagar.</b> Escreva o nome e o documento como o
        aplicativo do banco mostra.
      </p>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Nome do titular">
          {(control) => (
            <TextInput
              {...control}
              autoComplete="off"
              value={holder.name}
              onChange={(event) => setHolder({ ...holder, name: event.target.value })}
            />
          )}
        </Field>
        <Field label="Documento do titular">
          {(control) => (
            <TextInput
              {...control}
              autoComplete="off"
              placeholder="***.982.247-**"
              value={holder.document}
              onChange={(event) => setHolder({ ...holder, document: event.target.value })}
            />
          )}
        </Field>
      </div>
      <Button type="submit" className="justify-self-start" aria-disabled={!isWhole || busy}>
        Conferir titular
      </Button>
    </form>
  )
}

/** True from the claim's end on. */
function useIsOver(claim: PayoutClaim | null): boolean {
  const [overAt, setOverAt] = useState<string | null>(null)
  const expiresAt = claim?.expiresAt ?? null
  useEffect(() => {
    if (claim === null) return undefined
    // The server's span, whatever this device's clock says.
    const span = new Date(claim.expiresAt).getTime() - new Date(claim.at).getTime()
    const timer = setTimeout(() => setOverAt(claim.expiresAt), span)
    return () => clearTimeout(timer)
  }, [claim])
  return expiresAt !== null && overAt === expiresAt
}

const expired = "Os dez minutos deste pagamento acabaram, e outra pessoa já pode pagá-lo."

/** Why somebody must look at the bank before it is paid; null where nothing speaks against it. */
function doubtAbout({ earlier, debitedOn }: Payout): string | null {
  if (debitedOn !== null) return `O extrato importado já mostra este pagamento, de ${formatDay(debitedOn)}.`
  if (earlier === null) return null
  return `${earlier.by.name} começou a pagar em ${formatDateTime(earlier.at)} e não disse se pagou.`
}

function Doubt({ text, onPaid, onUnpaid }: { text: string; onPaid: () => void; onUnpaid: () => void }) {
  return (
    <div role="alert" className="grid justify-items-start gap-3 rounded-l border border-line-2 bg-amber-bg px-5 py-4">
      <p>
        <b className="font-semibold">{text}</b> Confira no extrato do banco antes de pagar.
      </p>
      <div className="flex flex-wrap gap-3">
        <Button onClick={onUnpaid}>Conferi: não foi pago</Button>
        <Button onClick={onPaid}>Conferi: foi pago</Button>
      </div>
    </div>
  )
}

type Payout = ReplyOf<typeof claimWithdrawalEndpoint>["data"]

function HowToPay({ payout: { pix, holder, withdrawal }, children }: { payout: Payout; children: ReactNode }) {
  const isTransfer = pix === null
  return (
    <div className={isTransfer ? "grid gap-5" : "grid gap-5 md:grid-cols-[auto_minmax(0,1fr)] md:gap-8"}>
      {pix !== null && (
        <img
          src={`data:image/png;base64,${pix.pixQrCodeBase64}`}
          alt={`QR Code Pix de ${formatReais(withdrawal.amount)} para ${withdrawal.user.name}`}
          className="w-full max-w-[380px] justify-self-center rounded-l bg-white"
        />
      )}
      <div className="grid content-between gap-5">
        <dl className={isTransfer ? "grid gap-x-8 gap-y-3 sm:grid-cols-2" : "grid gap-x-6 gap-y-3 lg:grid-cols-2"}>
          <Fact term="Vendedor" value={holder?.name ?? withdrawal.user.name} copies={isTransfer} />
          {isTransfer && holder !== null && holder.document !== "" && (
            <Fact term="CPF" value={documentText(holder.document)} copies />
          )}
          {wholeDestination(withdrawal).map(({ term, value }) => (
            <Fact key={term} term={term} value={value} copies={isTransfer} />
          ))}
          {/* Fields of banks take no currency sign. */}
          {isTransfer && <Fact term="Valor" value={formatReais(withdrawal.amount).replace(/^\D+/, "")} copies />}
          {withdrawal.owner !== "unknown" && (
            <Fact term="De quem é o destino" value={destinationOwnerLabels[withdrawal.owner]} copies={false} />
          )}
          {pix !== null && <Fact term="Identificador no código" value={pix.txid} copies={false} />}
        </dl>
        {pix !== null && (
          <CopyButton
            variant="secondary"
            text={pix.pixCode}
            label="Copiar código Pix"
            done="Código copiado!"
            failed="Não foi possível copiar"
            className="justify-self-start"
          />
        )}
        {children}
      </div>
    </div>
  )
}

function Fact({ term, value, copies }: { term: string; value: string; copies: boolean }) {
  return (
    <div>
      <dt className="text-meta text-t3">{term}</dt>
      <dd className="flex items-center justify-between gap-3">
        <span className="min-w-0 font-semibold wrap-anywhere">{value}</span>
        {copies && (
          <CopyButton
            text={value}
            label={`Copiar ${term.toLowerCase()}`}
            title={`Copiar ${term.toLowerCase()}`}
            done="Copiado!"
            failed="Não foi possível copiar"
          />
        )}
      </dd>
    </div>
  )
}
