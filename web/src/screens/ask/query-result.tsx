/** The figures or records that a Query returns. */
import type { Schemas } from '@kith/client'
import { RecordAnchor } from '#components/record-link.tsx'
import { GROUP_OF_KIND, type Kind } from '#data/groups.ts'
import { nameOf } from '#data/names.ts'
import { formatCount, formatDate, formatMoney, formatNumber } from '#lib/format.ts'

type Result = Schemas['QueryResult']
type Figure = Pick<Schemas['QueryFigure'], 'value' | 'currency'>

const MOST = 20

const figureText = ({ value, currency }: Figure): string => {
  if (value === null) return 'None'
  if (typeof value === 'string') return formatDate(value)
  return currency ? formatMoney(value, currency) : formatNumber(value)
}

export function QueryResult({ result }: { result: Result }) {
  const { entity, total, items, figures, groups } = result
  if (groups) {
    return (
      <table className="w-full max-w-100 text-sm">
        <tbody>
          {groups.slice(0, MOST).map(group => (
            <tr key={`${group.key.join(' ')} ${group.currency}`} className="border-b border-line">
              <th scope="row" className="py-1 text-left font-normal">
                {group.key.map(part => part ?? 'None').join(' · ')}
              </th>
              <td className="py-1 text-right font-medium tabular">{figureText(group)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    )
  }
  if (figures) {
    return (
      <p role="status" className="text-lg font-semibold tabular">
        {figures.map(figureText).join(' · ') || 'None'}
      </p>
    )
  }
  const group = GROUP_OF_KIND[entity as Kind]
  return (
    <div role="status">
      <p className="text-xs text-ink-3 tabular">{formatCount(total, 'record')}</p>
      <ul className="flex flex-wrap gap-x-3">
        {items?.slice(0, MOST).map(item => (
          <li key={String(item.id)}>
            {group ? (
              <RecordAnchor group={group} id={String(item.id)} className="text-accent-text hover:underline">
                {nameOf(item)}
              </RecordAnchor>
            ) : (
              nameOf(item)
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
