export function FactList({ facts }: { facts: Readonly<Record<string, string>> }) {
  return (
    <dl>
      {Object.entries(facts).map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
