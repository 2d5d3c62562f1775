import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import * as heads from "@tilinta/contract/heads"
import type { AutomaticView, MandateView, OwnDebitView } from "@tilinta/contract/mandates"
import type { CycleView, SubscriptionView } from "@tilinta/contract/subscriptions"
import {
  debitStatusLabels,
  isLiveMandate,
  type MandateJourney,
  type RestReason,
  type RetryPolicy,
  restLabels,
} from "@tilinta/contract/vocabulary/mandates"
import { useRef, useState } from "react"
import { detailOf, messageOf } from "#api/api-error.ts"
import { call, createSubmissions } from "#api/client.ts"
import { formatDateTime, formatDay } from "#format/dates.ts"
import { formatReais } from "#format/money-text.ts"
import { MandateBadge } from "#parts/mandates/mandate-badge.tsx"
import { hasBankCodesQuery } from "#seller/receivables/receivables-data.ts"
import { subscriptionsKey } from "#seller/seller-data.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Button, buttonClass } from "#ui/button.tsx"
import { Card, CardHeader } from "#ui/card.tsx"
import { Select } from "#ui/choice-inputs.tsx"
import { CopyButton } from "#ui/copy-button.tsx"
import { ConfirmDialog } from "#ui/dialog.tsx"
import { Fact, Facts } from "#ui/facts.tsx"
import { Field } from "#ui/field.tsx"
import { toast } from "#ui/toast.ts"
import { debitsToShow, priceText } from "./subscriptions-data.ts"

type Question = "ask" | "cancel" | "resume" | "cancel-debit" | "retry"

interface Props {
  subscription: SubscriptionView
  automatic: AutomaticView | null
  cycles: readonly CycleView[]
}

/** The customer's authorisation, and the debits that something can be done about. */
export function AutomaticCard({ subscription, automatic, cycles }: Props) {
  const [asked, setAsked] = useState<{ question: Question; debit: OwnDebitView | null } | null>(null)
  const mandate = automatic?.mandate ?? null
  return (
    <Card className="grid gap-4 p-5 md:p-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <CardHeader title="Pix Automático" />
        {mandate !== null && <MandateBadge status={mandate.status} />}
      </div>
      {automatic === null ? (
        <p className="text-t2">
          O cliente autoriza uma vez no app do banco, e cada cobrança é debitada sozinha. O banco dele mostra o nome da
          plataforma.
        </p>
      ) : (
        <Authorisation automatic={automatic} price={subscription.amount} />
      )}
      {debitsToShow(cycles).map((debit) => (
        <DebitFacts key={debit._id} debit={debit} onAsk={(question) => setAsked({ question, debit })} />
      ))}
      <Actions
        subscription={subscription}
        automatic={automatic}
        onAsk={(question) => setAsked({ question, debit: null })}
      />
      {asked !== null && (
        <QuestionDialog
          question={asked.question}
          subscription={subscription}
          mandate={mandate}
          debit={asked.debit}
          isPayable={cycles.some(({ invoice }) => invoice.status === "open")}
          onClose={() => setAsked(null)}
        />
      )}
    </Card>
  )
}

function Authorisation({ automatic, price }: { automatic: AutomaticView; price: number }) {
  const { mandate, nextDebitDate, firstTransactionId, newer } = automatic
  const waiting = newer ?? mandate
  const isUnfinished = firstTransactionId !== null && mandate.status === "waiting"
  return (
    <>
      {warningsOf(automatic, price).map((warning) => (
        <p key={warning} className="text-warning">
          {warning}
        </p>
      ))}
      {waiting.status === "waiting" && (
        <CopyButton
          variant="secondary"
          text={waiting.link}
          label={isUnfinished ? "Copiar novo convite" : "Copiar o link da autorização"}
          done={sellerTexts.linkCopied}
          failed={sellerTexts.listLinkNotCopied}
        />
      )}
      {isUnfinished && (
        <Link to="/transactions" search={{ transaction: firstTransactionId }} className={buttonClass("secondary")}>
          Estornar o pagamento
        </Link>
      )}
      <MandateFacts mandate={mandate} nextDebitDate={nextDebitDate} />
    </>
  )
}

const hasNewPrice = ({ status, amount }: MandateView, price: number) => status === "approved" && amount !== price

function warningsOf({ mandate, firstTransactionId, newer }: AutomaticView, price: number): string[] {
  const warnings: string[] = mandate.restsFor === null ? [] : [restLabels[mandate.restsFor]]
  if (firstTransactionId !== null && mandate.status === "waiting") {
    const next = "O convite agora só autoriza: envie de novo, ou estorne o pagamento."
    warnings.push(`Primeiro pagamento recebido, autorização não concluída. ${next}`)
  }
  if (hasNewPrice(mandate, price)) {
    const before = `O valor mudou: o cliente autorizou ${formatReais(mandate.amount)}.`
    const next =
      newer === null
        ? "Peça uma nova autorização"
        : `A nova autorização, de ${formatReais(newer.amount)}, espera o cliente até ${formatDateTime(newer.expiresAt)}`
    warnings.push(`${before} ${next}; até lá as cobranças vão por link.`)
  }
  return warnings
}

interface ActionsProps {
  subscription: SubscriptionView
  automatic: AutomaticView | null
  onAsk: (question: Question) => void
}

/** The customer has to authorise again: the bank takes no more debits of theirs. */
const needsNewOne: readonly (RestReason | null)[] = ["account_closed", "debtor_differs", "receiver_differs"]

function Actions({ subscription: { status, amount }, automatic, onAsk }: ActionsProps) {
  const mandate = automatic?.mandate ?? null
  const isEnded = status === "completed" || status === "cancelled"
  const isLive = mandate !== null && isLiveMandate(mandate.status)
  const isOutdated = isLive && (hasNewPrice(mandate, amount) || needsNewOne.includes(mandate.restsFor))
  const isToAsk = !isLive || (isOutdated && (automatic?.newer ?? null) === null)
  return (
    <div className="flex flex-wrap gap-2">
      {!isEnded && isToAsk && (
        <Button onClick={() => onAsk("ask")}>{mandate === null ? "Pedir autorização" : "Pedir de novo"}</Button>
      )}
      {isLive && mandate.restsFor !== null && mandate.restsFor !== "account_closed" && (
        <Button onClick={() => onAsk("resume")}>Voltar a debitar</Button>
      )}
      {isLive && (
        <Button variant="quiet-danger" onClick={() => onAsk("cancel")}>
          Cancelar autorização
        </Button>
      )}
    </div>
  )
}

function MandateFacts({ mandate, nextDebitDate }: { mandate: MandateView; nextDebitDate: string | null }) {
  return (
    <Facts>
      {nextDebitDate !== null && <Fact term="Próximo débito">{formatDay(nextDebitDate)}</Fact>}
      <Fact term="Valor autorizado">{formatReais(mandate.amount)}</Fact>
      {mandate.status === "waiting" && <Fact term="O código vale até">{formatDateTime(mandate.expiresAt)}</Fact>}
      {mandate.approvedAt !== null && <Fact term="Autorizado em">{formatDateTime(mandate.approvedAt)}</Fact>}
      {mandate.endedAt !== null && <Fact term="Terminou em">{formatDateTime(mandate.endedAt)}</Fact>}
      <Fact term="Novas tentativas">{mandate.retryPolicy === "none" ? "Não" : "Até 3, em 7 dias"}</Fact>
      <Fact term="Contrato">{mandate.contract}</Fact>
    </Facts>
  )
}

function DebitFacts({ debit, onAsk }: { debit: OwnDebitView; onAsk: (question: Question) => void }) {
  const problem = debit.attempts.at(-1)?.text ?? null
  return (
    <div className="grid gap-3">
      <Facts>
        <Fact term={`Débito de ${formatDay(debit.dueDate)}`}>{debitStatusLabels[debit.status]}</Fact>
        {problem !== null && <Fact term="Motivo">{problem}</Fact>}
        {debit.retryDate !== null && <Fact term="Nova tentativa">{formatDay(debit.retryDate)}</Fact>}
        {debit.cancellableUntil !== null && (
          <Fact term="Dá para cancelar até">{formatDateTime(debit.cancellableUntil)}</Fact>
        )}
      </Facts>
      <div className="flex flex-wrap gap-2">
        {debit.retryDates.length > 0 && <Button onClick={() => onAsk("retry")}>Tentar em outro dia</Button>}
        {debit.cancellableUntil !== null && (
          <Button variant="quiet-danger" onClick={() => onAsk("cancel-debit")}>
            Cancelar este débito
          </Button>
        )}
      </div>
    </div>
  )
}

interface QuestionProps {
  question: Question
  subscription: SubscriptionView
  mandate: MandateView | null
  debit: OwnDebitView | null
  /** A charge is open, which can be paid with the authorisation. */
  isPayable: boolean
  onClose: () => void
}

const words: Record<Question, { title: string; verb: string; text: string; done: string }> = {
  ask: {
    title: "Pedir autorização?",
    verb: "Pedir autorização",
    text: "Você recebe um link para enviar ao cliente. O código dele vale 72 horas.",
    done: sellerTexts.authorisationRequested,
  },
  cancel: {
    title: "Cancelar autorização?",
    verb: "Cancelar autorização",
    text: "Débitos que ainda dá para cancelar são cancelados, e as próximas cobranças vão por link. Para debitar de novo, o cliente precisa autorizar outra vez.",
    done: "Autorização cancelada.",
  },
  resume: {
    title: "Voltar a debitar?",
    verb: "Voltar a debitar",
    text: "As próximas cobranças são debitadas de novo.",
    done: "As próximas cobranças são debitadas.",
  },
  "cancel-debit": {
    title: "Cancelar este débito?",
    verb: "Cancelar débito",
    text: "A cobrança continua em aberto, e o cliente paga pelo link.",
    done: "Débito cancelado. A cobrança fica para o link.",
  },
  retry: {
    title: "Tentar o débito de novo?",
    verb: "Marcar tentativa",
    text: "O banco é avisado na véspera. Até o resultado, o link não mostra código, para ninguém pagar duas vezes.",
    done: "Nova tentativa marcada.",
  },
}

function QuestionDialog({ question, subscription, mandate, debit, isPayable, onClose }: QuestionProps) {
  const queryClient = useQueryClient()
  const submissions = useRef(createSubmissions())
  const hasBankCodes = useQuery(hasBankCodesQuery).data ?? false
  const [journey, setJourney] = useState<MandateJourney>(isPayable ? 3 : 2)
  const [retryPolicy, setPolicy] = useState<RetryPolicy>("three_in_seven_days")
  const [date, setDate] = useState(debit?.retryDates[0] ?? "")
  const { title, verb, text, done } = words[question]
  const act = useMutation({
    mutationFn: (): Promise<unknown> => {
      const body = { journey, retryPolicy }
      const ofMandate = { params: { id: mandate?._id ?? "" } }
      const ofDebit = { params: { id: debit?._id ?? "" } }
      if (question === "ask") {
        const headers = { "Idempotency-Key": submissions.current(body).key }
        return call(heads.createMandate, { params: { id: subscription._id }, body, headers })
      }
      if (question === "cancel") return call(heads.cancelMandate, ofMandate)
      if (question === "resume") return call(heads.resumeMandate, ofMandate)
      if (question === "retry") return call(heads.retryDebit, { ...ofDebit, body: { date } })
      return call(heads.cancelDebit, ofDebit)
    },
    onSuccess: () => toast.success(done),
    onError: (error) => toast.error(messageOf(error, sellerTexts.subscriptionNotSaved), detailOf(error)),
    onSettled: () => {
      onClose()
      return queryClient.invalidateQueries({ queryKey: subscriptionsKey })
    },
  })
  return (
    <ConfirmDialog
      title={title}
      verb={verb}
      variant={question === "cancel" || question === "cancel-debit" ? "danger" : "primary"}
      busy={act.isPending}
      onConfirm={() => act.mutate()}
      onClose={onClose}
    >
      <p>
        <b className="font-semibold text-t1">{subscription.customer.name}</b>,{" "}
        <b className="font-semibold text-t1 tabular-nums">{priceText(subscription)}</b>.{" "}
        {debit !== null && `Débito de ${formatDay(debit.dueDate)}. `}
        {text}
      </p>
      {question === "ask" && (
        <>
          <Field label="Como o cliente autoriza">
            {(field) => (
              <Select
                {...field}
                value={journey}
                onChange={({ target }) => setJourney(Number(target.value) as MandateJourney)}
              >
                {isPayable && <option value={3}>Paga hoje e autoriza junto</option>}
                {isPayable && hasBankCodes && <option value={4}>Paga até o prazo e autoriza</option>}
                <option value={2}>Só autoriza, sem pagar agora</option>
              </Select>
            )}
          </Field>
          <Field label="Se um débito não for feito">
            {(field) => (
              <Select {...field} value={retryPolicy} onChange={({ target }) => setPolicy(target.value as RetryPolicy)}>
                <option value="three_in_seven_days">Tentar até 3 vezes, em 7 dias</option>
                <option value="none">Não tentar: cobrar por link</option>
              </Select>
            )}
          </Field>
        </>
      )}
      {question === "retry" && (
        <Field label="Dia da tentativa">
          {(field) => (
            <Select {...field} value={date} onChange={({ target }) => setDate(target.value)}>
              {(debit?.retryDates ?? []).map((day) => (
                <option key={day} value={day}>
                  {formatDay(day)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
    </ConfirmDialog>
  )
}
