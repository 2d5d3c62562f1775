import { useQuery } from "@tanstack/react-query"
import { formatDateTime } from "#format/date.ts"
import { CodeBlock } from "#ui/code-block.tsx"
import { LoadFailure } from "#ui/load-failure.tsx"
import { RowsSkeleton } from "#ui/skeleton.tsx"
import { failureDetail } from "../failure-detail.ts"
import { sellerTexts } from "../seller-texts.ts"
import { attemptsQuery, type DeliveryAttempt } from "./webhooks-data.ts"

export function DeliveryDetails({ id }: { id: string }) {
  const { data, error, isError, isFetching, refetch } = useQuery(attemptsQuery(id))
  if (data === undefined) {
    if (!isError) return <RowsSkeleton rows={2} label="Carregando entrega" />
    const retry = () => void refetch()
    const detail = failureDetail(error)
    return <LoadFailure message={sellerTexts.deliveriesFailed} detail={detail} onRetry={retry} busy={isFetching} />
  }

  const { delivery, body, attempts } = data
  const [last] = attempts
  return (
    <>
      <section aria-label="Tentativas" className="grid gap-2">
        <h3 className="text-label font-semibold text-t2">Tentativas</h3>
        {attempts.length === 0 && <p className="text-label text-t3">Ainda nenhuma.</p>}
        <ol className="grid gap-3">
          {attempts.map((attempt) => (
            <Attempt key={attempt.attemptedAt} attempt={attempt} />
          ))}
        </ol>
        {delivery.nextAttemptAt !== null && attempts.length > 0 && (
          <p className="text-meta text-t3 tabular-nums">Próxima: {formatDateTime(delivery.nextAttemptAt)}</p>
        )}
        {delivery.state === "waiting" && (
          <p className="text-meta text-t3">
            Todas as tentativas terminaram. A entrega é feita quando o endereço voltar a responder, ou com “Reenviar”.
          </p>
        )}
      </section>
      {last !== undefined && (
        <CodeBlock
          label="Cabeçalhos enviados"
          text={Object.entries(last.headers)
            .map((entry) => entry.join(": "))
            .join("\n")}
        />
      )}
      <CodeBlock label="Corpo enviado" text={readable(body)} copied={body} />
    </>
  )
}

function Attempt({ attempt }: { attempt: DeliveryAttempt }) {
  const { attemptedAt, durationMs, status, message, answer } = attempt
  return (
    <li className="grid gap-1 text-label">
      <p className={message === null ? "text-mint" : "text-coral"}>
        {message ?? `Entregue: status ${status}`}
        <span className="text-t3 tabular-nums">
          {" "}
          · {formatDateTime(attemptedAt)} · {durationMs} ms
        </span>
      </p>
      {answer !== null && answer !== "" && <CodeBlock label="Resposta" text={answer} />}
    </li>
  )
}

function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
