import { Link } from "@tanstack/react-router"
import type { AuditRecordView } from "@tilinta/contract/audit-records"
import { auditActionLabels, auditEntityLabels } from "@tilinta/contract/vocabulary/audit"
import { deviceName } from "@tilinta/contract/vocabulary/people"
import { formatDateTime } from "#format/dates.ts"
import { useReais } from "#ui/amounts.tsx"
import { buttonClass } from "#ui/button.tsx"
import { Dialog } from "#ui/dialog.tsx"
import { CopyableCode, EmailFact, Fact, Facts } from "#ui/facts.tsx"
import { Icon } from "#ui/icon.tsx"
import { thingLinks } from "./audit-table.tsx"
import { aboutText, actorName, fieldLabel, valueText } from "./audit-words.ts"

interface Props {
  record: AuditRecordView
  onClose: () => void
}

export function AuditDialog({ record, onClose }: Props) {
  const reais = useReais()
  const { actor, actorAddress, actorDevice, apiKey, requestId, entity } = record
  const links = thingLinks(record)
  return (
    <Dialog
      title={auditActionLabels[record.action]}
      onClose={onClose}
      footer={
        links.length > 0 &&
        links.map(({ label, link }) => (
          <Link key={label} {...link} className={buttonClass("secondary")}>
            {label}
          </Link>
        ))
      }
    >
      <div className="grid gap-5">
        <p className="-mt-1 break-words text-t2">{aboutText(record, reais)}</p>
        <Facts>
          <Fact term="Quando">{formatDateTime(record.happenedAt)}</Fact>
          <Fact term="Quem fez">{actorName(record)}</Fact>
          {actor !== null && <EmailFact email={actor.email} />}
          {apiKey !== null && <Fact term="Chave de API">{apiKey.name}</Fact>}
          {actorAddress !== null && <Fact term="Endereço IP">{actorAddress}</Fact>}
          {actorDevice !== null && <Fact term="Aparelho">{deviceName(actorDevice)}</Fact>}
        </Facts>
        <Changes record={record} />
        {requestId !== null && <CopyableCode label="Identificador da requisição" code={requestId} />}
        <CopyableCode label={`Identificador: ${auditEntityLabels[entity]}`} code={record.entityId} />
      </div>
    </Dialog>
  )
}

function Changes({ record }: { record: AuditRecordView }) {
  const reais = useReais()
  const { entity, changes } = record
  const isNew = changes.every(({ before }) => before === null)
  return (
    <section className="border-t border-line pt-4">
      <h3 className="text-label font-semibold text-t2">{isNew ? "Dados registrados" : "O que mudou"}</h3>
      {changes.length === 0 && <p className="mt-2 text-label text-t3">Nenhum dado além do que aparece acima.</p>}
      <dl className="mt-1 grid divide-y divide-line text-label">
        {changes.map(({ field, before, after }) => (
          <div key={field} className="grid gap-1 py-2.5 sm:grid-cols-[140px_minmax(0,1fr)] sm:gap-4">
            <dt className="text-t3">{fieldLabel(field)}</dt>
            <dd className="min-w-0 break-words tabular-nums">
              {!isNew && (
                <>
                  <del className="text-t3">
                    <span className="sr-only">Antes: </span>
                    {valueText(entity, field, before, reais)}
                  </del>
                  <Icon name="arrowRight" className="mx-2 inline size-3.5 text-t3" />
                </>
              )}
              <ins className="text-t1 no-underline">
                {!isNew && <span className="sr-only">Depois: </span>}
                {valueText(entity, field, after, reais)}
              </ins>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
