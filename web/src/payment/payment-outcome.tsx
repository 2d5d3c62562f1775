import { queryOptions, useQuery } from "@tanstack/react-query"
import { Link, useRouter } from "@tanstack/react-router"
import * as heads from "@tilinta/contract/heads"
import type { ReactNode } from "react"
import { call } from "#api/client.ts"
import { supportEmailQuery } from "#api/queries.ts"
import { splitReais } from "#format/money-text.ts"
import { BigAmount } from "#ui/amounts.tsx"
import { Button, type ButtonVariant, buttonClass } from "#ui/button.tsx"
import { CopyButton } from "#ui/copy-button.tsx"
import { Icon, type IconName } from "#ui/icon.tsx"
import { PageTitle } from "#ui/page-title.tsx"

const pollMs = 3000

/** Polls until the payment is final. */
export function proofQuery(transactionId: string, k: string | undefined) {
  return queryOptions({
    queryKey: ["public", "proof", transactionId, k],
    queryFn: async ({ signal }) =>
      (await call(heads.getPaymentProof, { params: { transactionId }, query: { k }, signal })).data.proof,
    refetchInterval: ({ state }) => (state.data?.status === "pendente" ? pollMs : false),
  })
}

export interface ProofFact {
  term: string
  value: string
  /** Set for ids, which people pass on: what the copy button says. */
  copied?: string
}

interface Props {
  title: string
  amount: number
  facts: readonly ProofFact[]
}

export function ProofCard({ title, amount, facts }: Props) {
  return (
    <section className="rounded-xl border border-line bg-s1 px-5 pt-5 pb-3 shadow-card print:border-line-2 print:[box-shadow:none]">
      <h2 className="text-label font-medium text-t3">{title}</h2>
      <BigAmount parts={splitReais(amount)} className="mt-1 border-b border-dashed border-line-2 pb-4" />
      <dl className="mt-2 text-label">
        {facts.map((fact) =>
          fact.copied === undefined ? <Line key={keyOf(fact)} {...fact} /> : <Id key={keyOf(fact)} {...fact} />,
        )}
      </dl>
    </section>
  )
}

const keyOf = ({ term, value }: ProofFact) => `${term} ${value}`

function Line({ term, value }: ProofFact) {
  return (
    <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-3 py-2">
      <dt className="text-t3">{term}</dt>
      <dd className="text-right wrap-anywhere tabular-nums">{value}</dd>
    </div>
  )
}

/** An id gets a line of its own, so that it isn't broken in the middle. */
function Id({ term, value, copied }: ProofFact) {
  return (
    <div className="py-2">
      <dt className="text-t3">{term}</dt>
      <dd className="flex items-center gap-2">
        <span className="@container min-w-0 flex-1">
          <span className="block font-mono text-[min(13px,4.4cqi)] break-all">{value}</span>
        </span>
        <CopyButton
          text={value}
          label={`Copiar ${term}`}
          title="Copiar"
          done={copied ?? ""}
          failed="Não foi possível copiar"
          className="flex-none print:hidden"
        />
      </dd>
    </div>
  )
}

interface HomeLinkProps {
  variant?: ButtonVariant
  /** The payer's charge page: they have no account to go home to. */
  chargePath?: string | null
}

export function HomeLink({ variant = "secondary", chargePath = null }: HomeLinkProps) {
  const content = (
    <>
      <Icon name="home" />
      Voltar ao Início
    </>
  )
  if (chargePath === null) {
    return (
      <Link to="/" className={buttonClass(variant)}>
        {content}
      </Link>
    )
  }
  return (
    <a href={chargePath} className={buttonClass(variant)}>
      {content}
    </a>
  )
}

/** Also printed, so that nobody takes it for a proof. */
export function SampleNote() {
  return (
    <p
      role="note"
      className="mb-6 flex items-center justify-center gap-2 rounded-m border border-line-2 bg-amber-bg px-4 py-2.5 text-label font-semibold text-amber"
    >
      <Icon name="info" className="size-[18px]" />
      Página de exemplo: não é um comprovante
    </p>
  )
}

type Tone = "good" | "bad" | "waiting"

const marks = {
  good: "bg-mint text-mint-ink [box-shadow:0_0_0_12px_oklch(0.83_0.135_172/0.11)]",
  bad: "border border-coral-line bg-coral-bg text-coral",
  waiting: "bg-s3 text-amber",
} as const satisfies Record<Tone, string>

const icons = { good: "check", bad: "alert", waiting: "clock" } as const satisfies Record<Tone, IconName>

export function OutcomeHead({ tone, title, text }: { tone: Tone; title: string; text: string }) {
  return (
    <div className="grid justify-items-center pt-4 pb-6 text-center print:justify-items-start print:text-left">
      <span className={`mb-7 grid size-20 place-items-center rounded-[28px] print:hidden ${marks[tone]}`}>
        <Icon name={icons[tone]} className="size-9 stroke-[2.2]" />
      </span>
      <PageTitle title={title} className="text-[26px]" />
      <p className="mt-1.5 text-balance text-t2">{text}</p>
    </div>
  )
}

export function SuccessHead() {
  return (
    <OutcomeHead
      tone="good"
      title="Pagamento Realizado com Sucesso!"
      text="Seu pagamento foi processado e confirmado."
    />
  )
}

interface FailureViewProps {
  text: string
  amount: number
  facts: readonly ProofFact[]
  chargePath?: string | null
  children?: ReactNode
}

export function FailureView({ text, amount, facts, chargePath = null, children }: FailureViewProps) {
  const router = useRouter()
  return (
    <>
      <OutcomeHead tone="bad" title="Erro no Pagamento" text={text} />
      {children}
      <ProofCard title="Valor da tentativa" amount={amount} facts={facts} />
      <div className="mt-4 grid gap-3 sm:grid-cols-2 print:hidden">
        <Button variant="primary" icon="arrowLeft" onClick={() => router.history.back()}>
          Tentar Novamente
        </Button>
        <HomeLink chargePath={chargePath} />
      </div>
      <SupportLink />
    </>
  )
}

/** Without a known address the line stays empty: a link to nowhere helps nobody. */
function SupportLink() {
  const email = useQuery(supportEmailQuery).data
  return (
    <p className="mt-6 min-h-11 text-center text-label text-t2">
      {email !== undefined && (
        <>
          Precisa de ajuda? Escreva para{" "}
          <a
            href={`mailto:${email}`}
            className="inline-flex min-h-11 items-center font-semibold break-all text-mint underline underline-offset-4"
          >
            {email}
          </a>
        </>
      )}
    </p>
  )
}
