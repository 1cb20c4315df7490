import { Skeleton } from '#components/skeleton.tsx'
import { formatCompactMoney, formatCount, formatMoney } from '#lib/format.ts'
import { sumOf, useMonths, useStageTotals } from './figures.ts'
import { ListLink, type ListTarget } from './list-link.tsx'
import { addMonths, firstDay, thisMonth } from './months.ts'

interface KeyFiguresProps {
  pipelineId: string | undefined
  currency: string
}

interface KeyFigure {
  /** until then a skeleton: a zero would be read as one */
  isKnown: boolean
  name: string
  figure: string
  exact: string
  detail: string
  to: ListTarget
}

const percent = new Intl.NumberFormat(navigator.language, { style: 'percent', maximumFractionDigits: 0 })

/** The four figures above the plots: all open deals, and those closed in the last twelve months. */
export function KeyFigures({ pipelineId, currency }: KeyFiguresProps) {
  const { data } = useMonths(pipelineId)
  const { data: stages } = useStageTotals(pipelineId)
  const open = sumOf(stages?.totals, currency, 'open')
  const won = sumOf(data?.totals, currency, 'won')
  const lost = sumOf(data?.totals, currency, 'lost')
  const closed = won.count + lost.count
  const since = firstDay(addMonths(thisMonth(), -11))
  const where = (status: string[], ...more: object[]) => ({
    and: [
      { field: 'status', op: 'in', value: status },
      ...(pipelineId ? [{ field: 'pipeline_id', op: 'in', value: [pipelineId] }] : []),
      ...more,
    ],
  })
  const inYear = { field: 'closed_at', op: 'gte', value: since }
  const money = (amount: number) => ({
    figure: formatCompactMoney(amount, currency),
    exact: formatMoney(amount, currency),
  })
  const figures: KeyFigure[] = [
    {
      isKnown: stages !== undefined,
      ...{ name: 'Open', ...money(open.amount), detail: formatCount(open.count, 'deal') },
      to: { group: 'deals', where: where(['open']), sort: '-amount' },
    },
    {
      isKnown: stages !== undefined,
      ...{ name: 'Weighted', ...money(open.weighted_amount), detail: 'by probability' },
      to: { group: 'deals', where: where(['open']), sort: '-weighted_amount' },
    },
    {
      isKnown: data !== undefined,
      ...{ name: 'Won', ...money(won.amount), detail: `${formatCount(won.count, 'deal')} in 12 months` },
      to: { group: 'deals', where: where(['won'], inYear), sort: '-closed_at' },
    },
    {
      isKnown: data !== undefined,
      name: 'Win rate',
      figure: closed ? percent.format(won.count / closed) : '–',
      exact: closed ? percent.format(won.count / closed) : 'none',
      detail: `of ${formatCount(closed, 'closed deal')}`,
      to: { group: 'deals', where: where(['won', 'lost'], inYear), sort: '-closed_at' },
    },
  ]
  return (
    <ul
      aria-label="Key figures"
      className="col-span-full grid grid-cols-4 overflow-hidden rounded-lg border border-line bg-surface max-[719px]:grid-cols-2"
    >
      {figures.map(({ isKnown, name, figure, exact, detail, to }) => (
        <li
          key={name}
          className="border-line not-first:border-l max-[719px]:odd:border-l-0 max-[719px]:nth-[n+3]:border-t"
        >
          <ListLink
            to={to}
            label={isKnown ? `${name}: ${exact}, ${detail}` : name}
            className="block px-4 py-3 -outline-offset-2 hover:bg-hover"
          >
            <span className="block text-xs text-ink-3">{name}</span>
            {isKnown ? (
              <>
                <span className="block text-xl font-semibold tabular" title={exact}>
                  {figure}
                </span>
                <span className="block truncate text-xs text-ink-3">{detail}</span>
              </>
            ) : (
              <>
                <Skeleton className="my-1.5 h-4 w-20" />
                <Skeleton className="my-0.5 h-3 w-24" />
              </>
            )}
          </ListLink>
        </li>
      ))}
    </ul>
  )
}
