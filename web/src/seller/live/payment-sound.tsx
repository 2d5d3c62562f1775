import { createStoredSwitch } from "#ui/browser-hooks.ts"
import { Icon } from "#ui/icon.tsx"
import { menuItemClass } from "#ui/menu.tsx"

export const paymentSound = createStoredSwitch("payment-sound")

let context: AudioContext | null = null
const notes = [
  { hertz: 880, at: 0 },
  { hertz: 1318.5, at: 0.12 },
]

/** Two short notes. Browsers that don't allow sound yet stay silent. */
export function playPaymentSound(): void {
  try {
    context ??= new AudioContext()
    void context.resume()
    for (const note of notes) playNote(context, note)
  } catch {}
}

function playNote(audio: AudioContext, { hertz, at }: (typeof notes)[number]): void {
  const start = audio.currentTime + at
  const tone = audio.createOscillator()
  const volume = audio.createGain()
  tone.frequency.value = hertz
  volume.gain.setValueAtTime(0.0001, start)
  volume.gain.exponentialRampToValueAtTime(0.2, start + 0.02)
  volume.gain.exponentialRampToValueAtTime(0.0001, start + 0.35)
  tone.connect(volume).connect(audio.destination)
  tone.start(start)
  tone.stop(start + 0.4)
}

/** Switching it on plays it, which is also the gesture that browsers require. */
export function SoundMenuItem() {
  const isOn = paymentSound.use()

  function toggle(): void {
    paymentSound.toggle()
    if (paymentSound.isOn()) playPaymentSound()
  }

  return (
    <button type="button" role="menuitemcheckbox" aria-checked={isOn} onClick={toggle} className={menuItemClass}>
      <Icon name="sound" />
      <span className="flex-1">Som ao receber</span>
      {isOn && <Icon name="check" className="size-4 stroke-[2.4] text-mint" />}
    </button>
  )
}
