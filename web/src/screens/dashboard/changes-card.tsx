import { Skeleton } from '#components/skeleton.tsx'
import { formatDate, formatNumber } from '#lib/format.ts'
import { Card } from './card.tsx'
import { CHANGES } from './changes.ts'
import { useChangeCounts } from './figures.ts'
import { ListLink } from './list-link.tsx'
import { daysAgo } from './months.ts'

/** What changed since the beginning of yesterday, as counts that open their lists. */
export function ChangesCard() {
  const counts = useChangeCounts()
  const since = daysAgo(1)
  return (
    <Card title="Since yesterday" detail={formatDate(since)}>
      <ul aria-label="Changes since yesterday" className="-mx-2 grid grid-cols-2 gap-x-2">
        {CHANGES.map(({ label, icon: Icon, group, where }, index) => {
          const count = counts[index]
          return (
            <li key={label}>
              <ListLink
                to={{ group, where: where(since) }}
                label={`${label}: ${count ?? '…'}`}
                className="flex h-8 items-center gap-2 rounded-md px-2 hover:bg-hover"
              >
                <Icon size={14} className="shrink-0 text-ink-3" />
                <span className="min-w-0 flex-1 truncate text-ink-2">{label}</span>
                {count === undefined ? (
                  <Skeleton className="h-3 w-5" />
                ) : (
                  <span className={count > 0 ? 'font-medium tabular' : 'text-ink-3 tabular'}>
                    {formatNumber(count)}
                  </span>
                )}
              </ListLink>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
