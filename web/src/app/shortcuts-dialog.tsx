import { Dialog } from "#ui/dialog.tsx"
import { Kbd } from "#ui/kbd.tsx"

const shortcuts = [
  { keys: ["/"], does: "Ir para a busca da lista" },
  { keys: ["?"], does: "Mostrar estes atalhos" },
  { keys: ["Esc"], does: "Fechar o que está aberto" },
  { keys: ["Tab"], does: "Ir ao próximo botão ou campo" },
  { keys: ["↑", "↓"], does: "Percorrer um menu" },
] as const

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Atalhos do teclado" onClose={onClose}>
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
    </Dialog>
  )
}
