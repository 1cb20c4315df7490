/** The pipelines with their stages, in order. */
import type { Schemas } from '@kith/client'
import { Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Badge } from '#components/badge.tsx'
import { Button } from '#components/button.tsx'
import { InlineText } from '#components/inline-text.tsx'
import { Menu, MenuItem } from '#components/menu.tsx'
import { usePipelines } from '#data/people.tsx'
import { useCreate, useDelete, useUpdate } from '#data/records.ts'
import { AddRow } from './add-row.tsx'
import { Part, RowsSkeleton } from './part.tsx'
import { useRole } from './role.ts'
import { StageRow } from './stage-row.tsx'
import { addStage } from './stages.ts'

type Pipeline = Schemas['Pipeline']

export default function Pipelines() {
  const { pipelines } = usePipelines()
  const { isWriter } = useRole()
  const create = useCreate('pipelines')
  const [created, setCreated] = useState<string>()
  return (
    <Part
      title="Pipelines"
      description="A deal moves from stage to stage. The probability weighs its amount in the forecast; a deal that stays longer than its stage allows is marked as rotten."
      action={
        isWriter && (
          <Button
            variant="primary"
            disabled={create.isPending}
            onClick={() => create.mutate({ name: 'New pipeline' }, { onSuccess: ({ id }) => setCreated(id) })}
          >
            <Plus size={15} /> New pipeline
          </Button>
        )
      }
    >
      {pipelines.length === 0 && <RowsSkeleton count={6} />}
      <div className="flex flex-col gap-6">
        {pipelines.map(pipeline => (
          <PipelineCard
            key={pipeline.id}
            pipeline={pipeline}
            canDelete={pipelines.length > 1}
            isNew={pipeline.id === created}
          />
        ))}
      </div>
    </Part>
  )
}

interface PipelineCardProps {
  pipeline: Pipeline
  canDelete: boolean
  /** created just now: its name is to be written, and it may be below the screen */
  isNew: boolean
}

function PipelineCard({ pipeline, canDelete, isNew }: PipelineCardProps) {
  const card = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isNew) return
    const nameInput = card.current?.querySelector('input')
    nameInput?.focus()
    nameInput?.select()
  }, [isNew])
  const { id, name, is_default, stages } = pipeline
  const { isWriter } = useRole()
  const update = useUpdate('pipelines')
  const rename = useUpdate('pipelines', { isForm: true })
  const remove = useDelete('pipelines')
  const trigger = (
    <Button size="sm" variant="ghost" aria-label={`More of ${name}`}>
      More
    </Button>
  )
  return (
    <section ref={card} aria-label={name} className="rounded-lg border border-line">
      <header className="flex min-h-11 items-center gap-2 border-b border-line pr-2 pl-1.5">
        <div className="min-w-0 flex-1">
          <InlineText
            label="Name of the pipeline"
            value={name}
            maxLength={255}
            isDisabled={!isWriter}
            className="w-full font-semibold"
            onCommit={text =>
              rename.mutateAsync({ id, changes: { name: text }, message: `Renamed to ${text}` })
            }
          />
        </div>
        {is_default && <Badge tone="accent">Default</Badge>}
        {isWriter && (
          <Menu trigger={trigger} align="end">
            <MenuItem
              isDisabled={is_default}
              onSelect={() =>
                update.mutate({ id, changes: { is_default: true }, message: `${name} is the default` })
              }
            >
              Use for new deals
            </MenuItem>
            <MenuItem isDanger isDisabled={!canDelete} onSelect={() => remove.mutate({ id, name })}>
              Delete
            </MenuItem>
          </Menu>
        )}
      </header>
      <div className="relative overflow-x-auto scroll-thin">
        <table className="w-full min-[720px]:min-w-150">
          <thead className="max-[719px]:sr-only">
            <tr className="h-8 text-left text-2xs text-ink-3">
              <th className="pl-3 font-medium">Stage</th>
              <th className="w-24 pl-2.5 font-medium">Type</th>
              <th className="w-24 pr-1.5 text-right font-medium">Probability</th>
              <th className="w-24 pr-1.5 text-right font-medium">Rotten after</th>
              <th className="w-16 pr-3 text-right font-medium">Deals</th>
              <th className="w-24">
                <span className="sr-only">Order and delete</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {stages.map((stage, index) => (
              <StageRow key={stage.id} stage={stage} stages={stages} index={index} />
            ))}
          </tbody>
        </table>
      </div>
      {isWriter && (
        <AddRow label={`New stage of ${name}`} placeholder="Add a stage" onAdd={text => addStage(id, text)} />
      )}
    </section>
  )
}
