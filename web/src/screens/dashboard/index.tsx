/** How the business goes: figures and plots, each of which opens the list behind it. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Screen } from '#components/screen.tsx'
import { Select } from '#components/select.tsx'
import { usePipelines } from '#data/people.tsx'
import { useSignedIn } from '#data/session.ts'
import { ChangesCard } from './changes-card.tsx'
import { ForecastCard, StagesCard, WonCard } from './deals-cards.tsx'
import { useStageTotals } from './figures.ts'
import { KeyFigures } from './key-figures.tsx'
import { PeopleCard } from './people-card.tsx'

const ALL = 'all'

export default function Dashboard() {
  const search: Record<string, unknown> = useSearch({ from: '/app/dashboard' })
  const navigate = useNavigate()
  const { account } = useSignedIn()
  const { pipelines, pipelineById } = usePipelines()
  const pipelineId = pipelineById.get(String(search.pipeline))?.id
  const currencies = useStageTotals(pipelineId).data?.totals.map(({ currency }) => currency) ?? []
  const preferred = String(search.currency ?? account.currency)
  const currency = currencies.includes(preferred) ? preferred : (currencies[0] ?? account.currency)
  const change = (changes: Record<string, unknown>) =>
    void navigate({ to: '/dashboard', search: { ...search, ...changes }, replace: true })
  const actions = (
    <>
      {currencies.length > 1 && (
        <div className="w-24">
          <Select
            label="Currency"
            value={currency}
            options={currencies.map(value => ({ value, label: value }))}
            onChange={value => change({ currency: value })}
          />
        </div>
      )}
      {pipelines.length > 1 && (
        <div className="w-40">
          <Select
            label="Pipeline"
            value={pipelineId ?? ALL}
            options={[
              { value: ALL, label: 'All pipelines' },
              ...pipelines.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChange={value => change({ pipeline: value === ALL ? undefined : value })}
          />
        </div>
      )}
    </>
  )
  const props = { pipelineId, currency }
  return (
    <Screen title="Dashboard" actions={actions}>
      <div className="min-h-full bg-canvas p-4">
        <div className="mx-auto grid max-w-300 grid-cols-2 gap-3 max-[1023px]:grid-cols-1">
          <KeyFigures {...props} />
          <StagesCard {...props} />
          <ForecastCard {...props} />
          <WonCard {...props} />
          <PeopleCard />
          <ChangesCard />
        </div>
      </div>
    </Screen>
  )
}
