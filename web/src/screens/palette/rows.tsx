/** The rows of the palette: commands, records and citations. */
import type { Schemas } from '@kith/client'
import { Command as Base } from 'cmdk'
import type { ReactNode } from 'react'
import { kindIcon, kindLabel } from '#app/found-kinds.ts'
import { Keys } from '#components/keys.tsx'
import { Skeleton } from '#components/skeleton.tsx'
import { localFigures } from '#lib/figures.ts'
import type { Command } from './commands.ts'

interface RowProps {
  id: string
  icon: ReactNode
  onSelect: () => void
  children: ReactNode
  /** at the right */
  aside?: ReactNode
}

/** On the colour of the selected row the weakest ink has a contrast of 4.3 only. */
const WEAK = 'text-ink-3 group-data-[selected=true]/row:text-ink-2'

export const Row = ({ id, icon, onSelect, children, aside }: RowProps) => (
  <Base.Item value={id} onSelect={onSelect} className="group/row menu-item h-9 cursor-default gap-2.5 px-2.5">
    <span className="shrink-0 text-ink-3">{icon}</span>
    <span className="min-w-0 flex-1 truncate">{children}</span>
    {aside && <span className={`shrink-0 text-xs ${WEAK}`}>{aside}</span>}
  </Base.Item>
)

const headingClass = '**:[[cmdk-group-heading]]:text-2xs **:[[cmdk-group-heading]]:font-medium'

export const Group = ({ heading, children }: { heading: string; children: ReactNode }) => (
  <Base.Group
    heading={heading}
    className={`pb-1.5 ${headingClass} **:[[cmdk-group-heading]]:px-2.5 **:[[cmdk-group-heading]]:py-1 **:[[cmdk-group-heading]]:text-ink-3`}
  >
    {children}
  </Base.Group>
)

export const CommandRow = ({ command: { id, label, icon: Icon, shortcut, run } }: { command: Command }) => (
  <Row id={id} icon={<Icon size={15} />} onSelect={run} aside={shortcut && <Keys shortcut={shortcut} />}>
    {label}
  </Row>
)

type Found = Pick<Schemas['SearchResult'], 'entity_type' | 'entity_id' | 'name' | 'snippet'>

interface RecordRowProps {
  found: Found
  id: string
  onSelect: () => void
}

export function RecordRow({ found: { entity_type, name, snippet }, id, onSelect }: RecordRowProps) {
  const Icon = kindIcon(entity_type)
  return (
    <Row id={id} icon={<Icon size={15} />} onSelect={onSelect} aside={kindLabel(entity_type)}>
      <span className="font-medium">{name || 'Untitled'}</span>
      <span className={`ml-2 ${WEAK}`}>
        <Marked text={localFigures(withoutName(snippet, name))} />
      </span>
    </Row>
  )
}

/** Excerpts often begin with the name, which is beside them already. */
function withoutName(snippet: string, name: string): string {
  const plain = snippet.replaceAll('**', '')
  if (!plain.startsWith(name.replace(/…$/, ''))) return snippet
  return plain.slice(name.length).replace(/^[\s:·,.;-]+/, '')
}

/** An excerpt with its matches, which the service puts between `**`, in a stronger colour. */
const Marked = ({ text }: { text: string }) =>
  text.split('**').map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text never move
      <mark key={index} className="bg-transparent text-ink">
        {part}
      </mark>
    ) : (
      part
    ),
  )

export const RowSkeletons = () =>
  [44, 56, 36].map(width => (
    <div key={width} aria-hidden="true" className="flex h-9 items-center gap-2.5 px-2.5">
      <Skeleton className="size-4" />
      <span style={{ width: `${width}%` }}>
        <Skeleton className="h-3 w-full" />
      </span>
    </div>
  ))
