import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import * as heads from "@tilinta/contract/heads"
import type { AnyMandateView, AutomaticSummary } from "@tilinta/contract/mandates"
import type { UserView } from "@tilinta/contract/users"
import { isLiveMandate } from "@tilinta/contract/vocabulary/mandates"
import { useState } from "react"
import { SellerPicker } from "#admin/seller-picker.tsx"
import { detailOf, messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { formatDay, saoPauloDay } from "#format/dates.ts"
import { countOf } from "#format/money-text.ts"
import { MandateBadge } from "#parts/mandates/mandate-badge.tsx"
import { Button, buttonClass } from "#ui/button.tsx"
import { Card, CardHeader, EmptyState, QueryFailure, RowsSkeleton } from "#ui/card.tsx"
import { type Column, DataTable, RowText } from "#ui/data-table.tsx"
import { ConfirmDialog } from "#ui/dialog.tsx"
import { Fact, Facts } from "#ui/facts.tsx"
import { Field, TextArea } from "#ui/field.tsx"
import { PageTitle } from "#ui/page-title.tsx"
import { amountColumn } from "#ui/table-columns.tsx"
import { toast } from "#ui/toast.ts"
import { automaticKey, automaticQuery } from "./automatic-data.ts"

type Act =
  | { kind: "allow" }
  | { kind: "disallow"; seller: { _id: string; name: string } }
  | { kind: "cancel"; mandate: AnyMandateView }

/** Sellers who may use Pix Automático, all authorisations, and debits that were not made. */
export function AutomaticPage() {
  const query = useQuery(automaticQuery)
  const [act, setAct] = useState<Act | null>(null)
  const { mandates = [], summary } = query.data ?? {}
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <PageTitle title="Pix Automático" />
          <p className="mt-1 text-t2">O banco de cada cliente mostra o nome da plataforma.</p>
        </div>
        <div className="flex flex-wrap gap-2">
          <Link to="/admin/invoices" className={buttonClass("ghost")}>
            Ver cobranças
          </Link>
          <Button variant="primary" onClick={() => setAct({ kind: "allow" })}>
            Habilitar vendedor
          </Button>
        </div>
      </div>
      <QueryFailure query={query} failed="Erro ao carregar o Pix Automático" />
      {query.isPending && <RowsSkeleton rows={6} label="Carregando autorizações" />}
      {summary !== undefined && (
        <Figures summary={summary} onDisallow={(seller) => setAct({ kind: "disallow", seller })} />
      )}
      {query.isSuccess && (
        <Card className="p-2 pt-[18px]">
          <div className="px-4 pb-2 max-md:px-3">
            <CardHeader title="Autorizações" />
          </div>
          {mandates.length === 0 ? (
            <EmptyState icon="refresh" title="Nenhuma autorização ainda">
              Vendedores habilitados pedem uma na assinatura do cliente.
            </EmptyState>
          ) : (
            <DataTable
              caption="Autorizações"
              columns={columnsWith((mandate) => setAct({ kind: "cancel", mandate }))}
              rows={mandates}
              wide
            />
          )}
        </Card>
      )}
      {act !== null && <ActDialog act={act} onClose={() => setAct(null)} />}
    </>
  )
}

interface FiguresProps {
  summary: AutomaticSummary
  onDisallow: (seller: { _id: string; name: string }) => void
}

function Figures({ summary: { isOn, missing, sellers, failures, unanswered }, onDisallow }: FiguresProps) {
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-3">
      <Card className="grid gap-3 p-5">
        <CardHeader title="Vendedores habilitados" />
        {!isOn && <p className="text-warning">{missing ?? "Está desligado: ative AUTOMATIC_PIX nas configurações."}</p>}
        {sellers.length === 0 && <p className="text-t2">Nenhum.</p>}
        {sellers.map((seller) => (
          <div key={seller._id} className="flex min-w-0 items-center justify-between gap-2 border-t border-line pt-3">
            <div className="min-w-0">
              <RowText
                title={seller.name}
                note={`${countOf(seller.live, "ativa", "ativas")} · ${formatDay(saoPauloDay(new Date(seller.enabledAt)))}`}
              />
            </div>
            <Button variant="quiet-danger" onClick={() => onDisallow(seller)}>
              Desabilitar
            </Button>
          </div>
        ))}
      </Card>
      <Card className="grid gap-3 p-5">
        <CardHeader title="Débitos não feitos, 90 dias" />
        {failures.length === 0 && <p className="text-t2">Nenhum.</p>}
        {failures.length > 0 && (
          <Facts>
            {failures.map(({ code, text, count }) => (
              <Fact key={code} term={code === "" ? text : `${code}: ${text}`}>
                {count}
              </Fact>
            ))}
          </Facts>
        )}
      </Card>
      <Card className="grid gap-3 p-5">
        <CardHeader title="Sem resposta do banco do cliente" />
        {unanswered.length === 0 && <p className="text-t2">Nenhum há mais de um dia.</p>}
        {unanswered.length > 0 && (
          <Facts>
            {unanswered.map(({ _id, user, dueDate, txid }) => (
              <Fact key={_id} term={`${user}, ${formatDay(dueDate)}`}>
                {txid}
              </Fact>
            ))}
          </Facts>
        )}
      </Card>
    </div>
  )
}

function columnsWith(onCancel: (mandate: AnyMandateView) => void): readonly Column<AnyMandateView>[] {
  return [
    { header: "Assinatura", area: "title", cell: ({ title, user }) => <RowText title={title} note={user.name} /> },
    {
      header: "idRec",
      area: "none",
      cell: ({ idRec }) => <span className="text-t2 tabular-nums">{idRec ?? "—"}</span>,
    },
    amountColumn("Valor", ({ amount }) => amount),
    {
      header: "Status",
      area: "status",
      cell: ({ status, endedCode }) => (
        <span className="flex flex-wrap items-center gap-x-2">
          <MandateBadge status={status} />
          {endedCode !== null && <span className="text-meta text-t3">{endedCode}</span>}
        </span>
      ),
    },
    {
      header: "Ação",
      area: "date",
      cell: (mandate) =>
        isLiveMandate(mandate.status) && (
          <Button variant="quiet-danger" onClick={() => onCancel(mandate)}>
            Cancelar
          </Button>
        ),
    },
  ]
}

const words = {
  allow: {
    title: "Habilitar vendedor?",
    verb: "Habilitar",
    text: "Confira o que ele vende e como os clientes concordam. Outro administrador precisa aprovar.",
  },
  disallow: {
    title: "Desabilitar vendedor?",
    verb: "Desabilitar",
    text: "Débitos que ainda dá para cancelar são cancelados, e as cobranças vão por link. O vendedor é avisado.",
  },
  cancel: {
    title: "Cancelar autorização?",
    verb: "Cancelar autorização",
    text: "É irreversível: para debitar de novo, o cliente precisa autorizar outra vez.",
  },
} as const

function ActDialog({ act, onClose }: { act: Act; onClose: () => void }) {
  const queryClient = useQueryClient()
  const [seller, setSeller] = useState<UserView | null>(null)
  const [reason, setReason] = useState("")
  const { title, verb, text } = words[act.kind]
  const send = useMutation({
    mutationFn: async (): Promise<boolean> => {
      if (act.kind === "cancel") {
        await call(heads.cancelAnyMandate, { params: { id: act.mandate._id }, body: { reason } })
        return false
      }
      const id = act.kind === "allow" ? (seller?._id ?? "") : act.seller._id
      const body = { enabled: act.kind === "allow", reason }
      return (await call(heads.setAutomaticPix, { params: { id }, body })).data.pending === true
    },
    onSuccess: (waits) => {
      toast.success(waits ? "Anotado. Vale quando outro administrador aprovar." : "Feito.")
      onClose()
    },
    onError: (error) => toast.error(messageOf(error, "Não foi possível. Tente de novo."), detailOf(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: automaticKey }),
  })
  const isReady = reason.trim() !== "" && (act.kind !== "allow" || seller !== null)
  return (
    <ConfirmDialog
      title={title}
      verb={verb}
      variant={act.kind === "allow" ? "primary" : "danger"}
      busy={send.isPending || !isReady}
      onConfirm={() => send.mutate()}
      onClose={onClose}
    >
      {act.kind !== "allow" && (
        <p>
          <b className="font-semibold text-t1">
            {act.kind === "cancel" ? `${act.mandate.title}, ${act.mandate.user.name}` : act.seller.name}
          </b>
        </p>
      )}
      <p>{text}</p>
      {act.kind === "allow" && <SellerPicker legend="Vendedor" chosen={seller} onChoose={setSeller} />}
      <Field label="Motivo">
        {(field) => (
          <TextArea
            {...field}
            rows={2}
            maxLength={500}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        )}
      </Field>
    </ConfirmDialog>
  )
}
