import { useUser } from "#api/session.ts"
import { Dialog } from "#ui/dialog.tsx"
import { Kbd } from "#ui/row-keys.tsx"

interface Shortcut {
  keys: readonly string[]
  does: string
}

const everywhere: readonly Shortcut[] = [
  { keys: ["Ctrl", "K"], does: "Buscar telas, ações e registros" },
  { keys: ["/"], does: "Ir para a busca da lista" },
  { keys: ["?"], does: "Mostrar estes atalhos" },
  { keys: ["Esc"], does: "Fechar o que está aberto" },
  { keys: ["Tab"], does: "Ir ao próximo botão ou campo" },
  { keys: ["↑", "↓"], does: "Percorrer um menu" },
]

const inWithdrawals: readonly Shortcut[] = [
  { keys: ["J", "K"], does: "Ir ao próximo saque ou ao anterior" },
  { keys: ["Enter"], does: "Abrir o saque" },
  { keys: ["X"], does: "Selecionar o saque" },
  { keys: ["A"], does: "Aprovar o saque ou os selecionados" },
  { keys: ["R"], does: "Rejeitar o saque" },
]

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const isAdmin = useUser()?.role === "admin"
  return (
    <Dialog title="Atalhos do teclado" onClose={onClose}>
      <Shortcuts shortcuts={everywhere} />
      {isAdmin && (
        <>
          <h3 className="mt-6 mb-3 text-label font-semibold text-t2">Na lista de saques</h3>
          <Shortcuts shortcuts={inWithdrawals} />
        </>
      )}
    </Dialog>
  )
}

function Shortcuts({ shortcuts }: { shortcuts: readonly Shortcut[] }) {
  return (
    <dl className="grid gap-3">
      {shortcuts.map(({ keys, does }) => (
        <div key={does} className="flex items-center justify-between gap-6">
          <dt className="order-2 flex flex-none gap-1.5">
            {keys.map((key) => (
              <Kbd key={key}>{key}</Kbd>
            ))}
          </dt>
          <dd className="text-t2">{does}</dd>
        </div>
      ))}
    </dl>
  )
}
