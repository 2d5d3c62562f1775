import { useQuery } from "@tanstack/react-query"
import type { ChargeView } from "@tilinta/contract/charges"
import type { PayerStatus } from "@tilinta/contract/vocabulary/transactions"
import { useEffect, useEffectEvent, useState } from "react"
import { bankNameOf } from "#format/bank-name.ts"
import { formatReais } from "#format/money-text.ts"
import { Button } from "#ui/button.tsx"
import { counterDayQuery, playPaid, readSaleStatus } from "./counter-data.ts"

const POLL_MS = 2000
const BACK_MS = 5000

interface Props {
  charge: ChargeView
  shop: string
  onEnd: () => void
}

/** The code, as large as the screen allows, and what became of it. */
export function CounterSale({ charge, shop, onEnd }: Props) {
  const { status, isSilent } = useSaleStatus(charge)
  const end = useEffectEvent(onEnd)
  useEffect(() => {
    if (status !== "pago") return
    playPaid()
    const timer = setTimeout(() => end(), BACK_MS)
    return () => clearTimeout(timer)
  }, [status])

  if (status === "pago") return <Paid charge={charge} onEnd={onEnd} />
  if (status !== "pendente") return <Unpaid onEnd={onEnd} />
  const bank = bankNameOf(charge.pixCode)
  return (
    <div className="counter-sale grid content-center justify-items-center gap-3 p-4 text-center">
      <img
        src={pathOf(charge.imageUrl)}
        alt={`QR code Pix de ${formatReais(charge.amount)}`}
        className="counter-code"
      />
      <div className="grid w-full max-w-sm content-center gap-2">
        {shop !== "" && <p className="font-semibold">{shop}</p>}
        <div role="status" className="counter-amount leading-tight font-bold tabular-nums">
          {formatReais(charge.amount)}
        </div>
        {bank !== "" && (
          <p>
            No app do banco aparece <b>{bank}</b>
          </p>
        )}
        <p role="status" className="text-label">
          {isSilent
            ? "Sem internet: ainda não sabemos se foi pago. Perguntando de novo…"
            : "Aguardando o pagamento. Aumente o brilho da tela se a câmera não ler."}
        </p>
        <Button className="mt-2" onClick={onEnd}>
          Nova venda
        </Button>
      </div>
    </div>
  )
}

/** The path alone: behind a proxy in a test the origin may be another one. */
function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

function Paid({ charge, onEnd }: Pick<Props, "charge" | "onEnd">) {
  const day = useQuery({ ...counterDayQuery, refetchOnMount: "always" })
  const payer = day.data?.sales.find(({ _id }) => _id === charge._id)?.payerName ?? null
  return (
    <div className="counter-end grid content-center justify-items-center gap-4 bg-mint p-6 text-center text-mint-ink">
      <p role="alert" className="max-w-full text-[40px] leading-tight font-bold break-words tabular-nums">
        Recebido {formatReais(charge.amount)}
        {payer !== null && ` de ${payer}`}
      </p>
      {charge.description !== "" && <p>{charge.description}</p>}
      <Button className="text-t1" onClick={onEnd}>
        Nova venda
      </Button>
    </div>
  )
}

function Unpaid({ onEnd }: Pick<Props, "onEnd">) {
  return (
    <div className="counter-end grid content-center justify-items-center gap-4 p-6 text-center">
      <p role="alert" className="text-[22px] font-semibold">
        O código venceu sem pagamento.
      </p>
      <Button variant="primary" onClick={onEnd}>
        Nova venda
      </Button>
    </div>
  )
}

/** Asked on a fixed tick, and at once when the network is back. Silence is never an answer. */
function useSaleStatus(charge: ChargeView): { status: PayerStatus; isSilent: boolean } {
  const [status, setStatus] = useState<PayerStatus>("pendente")
  const [isSilent, setIsSilent] = useState(false)
  useEffect(() => {
    if (status !== "pendente") return
    const controller = new AbortController()
    async function ask(): Promise<void> {
      try {
        setStatus(await readSaleStatus(charge, controller.signal))
        setIsSilent(false)
      } catch {
        if (!controller.signal.aborted) setIsSilent(true)
      }
    }
    void ask()
    const timer = setInterval(() => void ask(), POLL_MS)
    const onOnline = () => void ask()
    window.addEventListener("online", onOnline)
    return () => {
      controller.abort()
      clearInterval(timer)
      window.removeEventListener("online", onOnline)
    }
  }, [charge, status])
  return { status, isSilent }
}
