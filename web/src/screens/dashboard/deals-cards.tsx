/** The plots of deals: pipeline by stage, forecast, won over time. */
import type { Schemas } from '@kith/client'
import { usePipelines } from '#data/people.tsx'
import { formatCompactMoney, formatCount, formatMoney } from '#lib/format.ts'
import { Bars, Legend } from './bars.tsx'
import { Card, NoFigures, PlotSkeleton } from './card.tsx'
import { type Column, Columns } from './columns.tsx'
import { NEXT_MONTHS, PAST_MONTHS, type Sum, sumOf, useMonths, useStageTotals } from './figures.ts'
import { addMonths, firstDay, lastDay, longName, monthsFrom, shortName, thisMonth } from './months.ts'

type Stage = Schemas['Stage']

interface DealsCardProps {
  pipelineId: string | undefined
  currency: string
}

const DAY_END = 'T23:59:59.999Z'

/** Deals of a state and a pipeline whose day, or time in UTC as the service counts, is in the month. */
const monthWhere = (
  status: 'open' | 'won',
  field: string,
  month: string,
  pipelineId: string | undefined,
) => ({
  and: [
    { field: 'status', op: 'in', value: [status] },
    { field, op: 'between', value: [firstDay(month), lastDay(month) + (status === 'won' ? DAY_END : '')] },
    ...(pipelineId ? [{ field: 'pipeline_id', op: 'in', value: [pipelineId] }] : []),
  ],
})

/** The plot without its figures, so that nothing moves when they arrive. */
const LOADING = { role: 'status', 'aria-label': 'Loading', className: 'rounded-sm bg-active *:invisible' }

export function StagesCard({ pipelineId, currency }: DealsCardProps) {
  const { data } = useStageTotals(pipelineId)
  const { pipelines } = usePipelines()
  const totals = new Map(data?.groups.map(group => [group.key, group.totals]))
  const shown = pipelines.filter(({ id }) => !pipelineId || id === pipelineId)
  const barOf = ({ id, name }: Stage) => {
    const { count, amount, weighted_amount } = sumOf(totals.get(id), currency, 'open')
    return {
      ...{ key: id, name, value: amount, parts: [weighted_amount, amount - weighted_amount] },
      figure: formatCompactMoney(amount, currency),
      detail: formatCount(count, 'deal'),
      label: `${name}: ${formatMoney(amount, currency)} in ${formatCount(count, 'deal')}, ${formatMoney(weighted_amount, currency)} weighted`,
      to: { group: 'deals' as const, where: { field: 'stage_id', op: 'in', value: [id] }, sort: '-amount' },
    }
  }
  const plots = shown.map(({ id, name, stages }) => ({
    ...{ id, name },
    bars: stages.filter(({ type }) => type === 'open').map(barOf),
  }))
  const top = Math.max(0, ...plots.flatMap(({ bars }) => bars.map(({ value }) => value)))
  return (
    <Card title="Pipeline by stage" detail="Open deals" className="row-span-2">
      {/* the figures may come before the pipelines, and are no reason yet to say that there are no deals */}
      {shown.length === 0 && <PlotSkeleton className="h-80" />}
      {data && shown.length > 0 && top === 0 && (
        <NoFigures>
          There are no open deals with an amount in {currency}. Create one, or import your deals.
        </NoFigures>
      )}
      {shown.length > 0 && (!data || top > 0) && (
        <div {...(data ? {} : LOADING)}>
          {plots.map(({ id, name, bars }) => (
            <div key={id} className="not-last:mb-2">
              {plots.length > 1 && <h3 className="text-2xs font-medium text-ink-3">{name}</h3>}
              <Bars label={`Open deals of ${name} by stage`} bars={bars} top={top || 1} />
            </div>
          ))}
          <Legend names={['Weighted by probability', 'The rest of the amount']} />
        </div>
      )}
    </Card>
  )
}

export function ForecastCard({ pipelineId, currency }: DealsCardProps) {
  const { data } = useMonths(pipelineId)
  const totals = new Map(data?.groups.map(group => [group.key, group.totals]))
  const columns = monthsFrom(thisMonth(), NEXT_MONTHS).map((month): Column => {
    const { count, amount, weighted_amount } = sumOf(totals.get(month), currency, 'open')
    return {
      ...{ key: month, name: shortName(month), value: amount, part: weighted_amount },
      label: `${longName(month)}: ${formatMoney(amount, currency)} in ${formatCount(count, 'open deal')}, ${formatMoney(weighted_amount, currency)} weighted`,
      to: {
        group: 'deals',
        where: monthWhere('open', 'expected_close_date', month, pipelineId),
        sort: '-amount',
      },
    }
  })
  return (
    <Card title="Forecast" detail="Open deals by expected close, the weighted part in full colour">
      <Plot isLoading={!data} columns={columns} currency={currency} label="Forecast by month">
        {`No open deal in ${currency} is expected to close in the next six months. Set the expected close date of your deals, or choose another currency above.`}
      </Plot>
    </Card>
  )
}

export function WonCard({ pipelineId, currency }: DealsCardProps) {
  const { data } = useMonths(pipelineId)
  const totals = new Map(data?.groups.map(group => [group.key, group.totals]))
  const columns = monthsFrom(addMonths(thisMonth(), 1 - PAST_MONTHS), PAST_MONTHS).map((month): Column => {
    const { count, amount }: Sum = sumOf(totals.get(month), currency, 'won')
    return {
      ...{ key: month, name: shortName(month), value: amount },
      label: `${longName(month)}: ${formatMoney(amount, currency)} won in ${formatCount(count, 'deal')}`,
      to: { group: 'deals', where: monthWhere('won', 'closed_at', month, pipelineId), sort: '-amount' },
    }
  })
  return (
    <Card title="Won over time" detail="The last twelve months">
      <Plot isLoading={!data} columns={columns} currency={currency} label="Won by month">
        {`No deal in ${currency} was won in the last twelve months. Move one to a won stage on the board.`}
      </Plot>
    </Card>
  )
}

interface PlotProps {
  isLoading: boolean
  columns: readonly Column[]
  currency: string
  label: string
  /** where all columns are zero */
  children: string
}

function Plot({ isLoading, columns, currency, label, children }: PlotProps) {
  if (isLoading) return <PlotSkeleton />
  if (columns.every(({ value }) => value === 0)) return <NoFigures>{children}</NoFigures>
  return (
    <Columns
      label={label}
      columns={columns}
      format={value => formatCompactMoney(value, currency)}
      current={thisMonth()}
    />
  )
}
