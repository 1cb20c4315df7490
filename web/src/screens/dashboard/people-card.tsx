import { useMembers } from '#data/people.tsx'
import { formatCount, formatNumber, humanize } from '#lib/format.ts'
import { Bars, Legend } from './bars.tsx'
import { Card, NoFigures, PlotSkeleton } from './card.tsx'
import { ACTIVITY_DAYS, useActivityFigures } from './figures.ts'
import { daysAgo } from './months.ts'

const NO_ONE = ''
const MAX_PEOPLE = 12

/** Completed activities of the last days by person, the busiest first; the parts are the types. */
export function PeopleCard() {
  const { data } = useActivityFigures()
  const { byId } = useMembers()
  const groups = (data?.groups ?? []).map(({ key: [person, type], count }) => ({
    person: person ?? NO_ONE,
    type: type ?? 'other',
    count,
  }))
  const total = (some: typeof groups) => some.reduce((sum, { count }) => sum + count, 0)
  const types = [...Map.groupBy(groups, ({ type }) => type)]
    .toSorted(([, one], [, other]) => total(other) - total(one))
    .map(([type]) => type)
  // the fourth tone is for all other types
  const shown = types.length > 4 ? types.slice(0, 3) : types
  const bars = [...Map.groupBy(groups, ({ person }) => person)]
    .map(([id, some]) => {
      const value = total(some)
      const parts = shown.map(type => total(some.filter(one => one.type === type)))
      const rest = value - parts.reduce((sum, part) => sum + part, 0)
      const name = byId.get(id)?.name ?? (id === NO_ONE ? 'No one' : 'Former member')
      const words = some.map(({ type, count }) => formatCount(count, humanize(type).toLowerCase()))
      return {
        ...{ key: id, name, value, figure: formatNumber(value), parts: rest > 0 ? [...parts, rest] : parts },
        label: `${name}: ${formatCount(value, 'activity', 'activities')} (${words.join(', ')})`,
        to: {
          group: 'activities' as const,
          where: {
            and: [
              id === NO_ONE
                ? { field: 'assignee_id', op: 'is_null' }
                : { field: 'assignee_id', op: 'in', value: [id] },
              { field: 'completed_at', op: 'gte', value: daysAgo(ACTIVITY_DAYS) },
            ],
          },
          sort: '-completed_at',
        },
      }
    })
    .toSorted((one, other) => other.value - one.value)
    .slice(0, MAX_PEOPLE)
  const names = shown.map(humanize)
  return (
    <Card title="Activity per person" detail={`Done in the last ${ACTIVITY_DAYS} days`}>
      {!data && <PlotSkeleton className="h-24" />}
      {data && bars.length === 0 && (
        <NoFigures>
          No activity was done in the last 30 days. Plan one in Today, and mark it as done.
        </NoFigures>
      )}
      {bars.length > 0 && (
        <>
          <Bars label="Activities by person" bars={bars} />
          <Legend names={types.length > shown.length ? [...names, 'Other'] : names} />
        </>
      )}
    </Card>
  )
}
