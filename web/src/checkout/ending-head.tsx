import { Icon, type IconName } from "./icons.tsx"

interface HeadProps {
  icon: IconName
  /** Heading and text. */
  words: readonly string[]
}

export function EndingHead({ icon, words: [heading, text] }: HeadProps) {
  return (
    <div className="done">
      <span className={`mark ${icon}`}>
        <Icon name={icon} />
      </span>
      <h1 tabIndex={-1} data-focus>
        {heading}
      </h1>
      <p>{text}</p>
    </div>
  )
}
