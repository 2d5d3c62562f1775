import type { HandSettlementView } from "@tilinta/contract/fields"
import { useUser } from "#api/session.ts"
import { formatDateTime } from "#format/dates.ts"
import { Button } from "#ui/button.tsx"
import { actionWords, outcomeWords, type SettleAction, subjectWords } from "./settle-words.ts"

interface Props {
  actions: readonly SettleAction[]
  onSettle: (action: SettleAction) => void
}

export function SettleButtons({ actions, onSettle }: Props) {
  return actions.map((action) => (
    <Button
      key={action}
      variant={action === "differ" || action === "change" ? "secondary" : "primary"}
      onClick={() => onSettle(action)}
    >
      {actionWords[action]}
    </Button>
  ))
}

interface SettlementNoteProps {
  subject: keyof typeof subjectWords
  settleable: boolean
  said: HandSettlementView | null
}

/** The present state of a word given by hand, for every administrator; nothing where there is none. */
export function SettlementNote({ subject, settleable, said }: SettlementNoteProps) {
  const adminId = useUser()?._id
  if (said === null && !settleable) return null
  return (
    <section
      aria-label="Resolução manual"
      className={`grid gap-2 rounded-m border px-4 py-3 text-label wrap-anywhere ${
        said?.settledAt ? "border-line-2 bg-s2" : "border-line-2 bg-amber-bg"
      }`}
    >
      {said === null ? (
        <p>
          O banco não responde há mais de um dia sobre este {subjectWords[subject]}. Veja no extrato do banco o que
          aconteceu e resolva manualmente.
        </p>
      ) : (
        <>
          <p>
            <b className="font-semibold">{said.saidBy.name}</b> disse em {formatDateTime(said.saidAt)}:{" "}
            <b className="font-semibold">{outcomeWords[said.outcome]}</b>
            {said.endToEndId === null ? "." : ", com o ID "}
            {said.endToEndId !== null && <code className="block text-meta">{said.endToEndId}</code>}
          </p>
          <p className="text-t2">Motivo: {said.reason}</p>
          <p className="text-t2">{stateOf(said, said.saidBy._id === adminId)}</p>
        </>
      )}
    </section>
  )
}

function stateOf({ waitsFor, confirmedBy, settledAt }: HandSettlementView, isMine: boolean): string {
  if (settledAt !== null) {
    const by = confirmedBy === null ? "" : ` por ${confirmedBy.name}`
    return `Confirmado${by} em ${formatDateTime(settledAt)}.`
  }
  if (waitsFor === "sending") return "Um envio podia estar em curso: só vale quando for confirmado mais uma vez."
  return isMine
    ? "Espera outro administrador: só vale quando ele disser o mesmo."
    : "Só vale quando outro administrador disser o mesmo. Confirme só o que você também viu no banco."
}
