/** What happens with rows that are here already, and with what rows name and is not here. */
import type { ReactNode } from 'react'
import { Segments } from '#components/segments.tsx'
import { Select } from '#components/select.tsx'
import { usePipelines } from '#data/people.tsx'
import type { ImportField } from './fields.ts'
import { IMPORT_KINDS, type Import, type ImportKind } from './kinds.ts'
import { DEFAULT_RULES, MISSING_LABELS, missingIn, rulesFor } from './missing.ts'
import type { Settings } from './use-import.ts'

const STRATEGIES = [
  { value: 'skip', label: 'Skip' },
  { value: 'update', label: 'Update' },
  { value: 'create', label: 'Add again' },
] as const

const AUTOMATIC = ''
const MATCHES: Readonly<Partial<Record<ImportKind, readonly string[]>>> = {
  contact: ['email', 'phone', 'name'],
  company: ['domain', 'name'],
  deal: ['name'],
}

interface RulesProps {
  record: Import
  fields: readonly ImportField[]
  onChange: (change: Settings) => void
}

export function Rules({ record, fields, onChange }: RulesProps) {
  const { options, mapping, entity_type } = record
  const mapped = new Set(Object.values(mapping))
  const missing = missingIn(fields.filter(({ name }) => mapped.has(name)))
  const matches = MATCHES[entity_type]
  const matchOn = [options.match_on ?? AUTOMATIC].flat()[0] ?? AUTOMATIC
  const { many } = IMPORT_KINDS[entity_type]
  return (
    <>
      <Rule title={`${many.charAt(0).toUpperCase()}${many.slice(1)} that are here already`}>
        <Segments
          label="Rows that are here already"
          value={options.duplicate_strategy ?? 'skip'}
          options={STRATEGIES}
          onChange={duplicate_strategy => onChange({ options: { duplicate_strategy } })}
        />
        {matches && (
          <Line label="Recognised by">
            <Select
              label="Recognised by"
              value={matchOn}
              options={[
                { value: AUTOMATIC, label: 'What fits best' },
                ...matches.map(value => ({ value, label: `Their ${value}` })),
              ]}
              onChange={value => onChange({ options: { match_on: value === AUTOMATIC ? null : value } })}
            />
          </Line>
        )}
      </Rule>
      {missing.length > 0 && (
        <Rule title="What is not here yet">
          {missing.map(name => (
            <Line key={name} label={MISSING_LABELS[name]}>
              <Select
                label={MISSING_LABELS[name]}
                value={options.on_missing?.[name] ?? DEFAULT_RULES[name]}
                options={rulesFor(name)}
                onChange={rule => onChange({ options: { on_missing: { [name]: rule } } })}
              />
            </Line>
          ))}
        </Rule>
      )}
      {entity_type === 'deal' && <PipelineRule record={record} onChange={onChange} />}
    </>
  )
}

/** Deals whose row names no pipeline. */
function PipelineRule({ record, onChange }: Omit<RulesProps, 'fields'>) {
  const { pipelines } = usePipelines()
  // without a pipeline, a stage of any of them is the one that is meant: that is another choice than the usual pipeline
  return (
    <Rule title="Deals without a pipeline">
      <Line label="Go into">
        <Select
          label="Pipeline"
          value={record.options.pipeline ?? AUTOMATIC}
          options={[
            { value: AUTOMATIC, label: 'The one of their stage' },
            ...pipelines.map(({ name }) => ({ value: name, label: name })),
          ]}
          onChange={name => onChange({ options: { pipeline: name === AUTOMATIC ? null : name } })}
        />
      </Line>
    </Rule>
  )
}

export const Rule = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="flex flex-col gap-2">
    <h2 className="text-xs font-medium text-ink-2">{title}</h2>
    {children}
  </section>
)

export const Line = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="grid grid-cols-[minmax(0,1fr)_148px] items-center gap-2">
    <span className="truncate text-ink-2" title={label}>
      {label}
    </span>
    {children}
  </div>
)
