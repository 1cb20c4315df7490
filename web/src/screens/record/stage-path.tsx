import { useState } from 'react'
import { LostDialog } from '#components/lost-dialog.tsx'
import { type DealMove, useMoveDeal } from '#data/deals.ts'
import type { RecordOf } from '#data/groups.ts'
import { usePipelines } from '#data/people.tsx'
import { useIsWriter } from '#data/session.ts'
import { classes } from '#lib/classes.ts'

const TONES = { open: 'bg-accent', won: 'bg-good', lost: 'bg-bad' }

/** The stages of the deal's pipeline as a row of steps; a click moves the deal. */
export function StagePath({ deal }: { deal: RecordOf<'deals'> }) {
  const { pipelineById } = usePipelines()
  const move = useMoveDeal()
  const lose = useMoveDeal({ isForm: true })
  const isWriter = useIsWriter()
  const [lost, setLost] = useState<DealMove>()
  const stages = pipelineById.get(deal.pipeline_id)?.stages ?? []
  const reached = stages.findIndex(({ id }) => id === deal.stage_id)
  const current = stages[reached]
  const go = ({ id, name, type }: (typeof stages)[number]) => {
    if (id === deal.stage_id) return
    const from = {
      ...{ stage_id: deal.stage_id, stageName: current?.name ?? '', type: deal.status },
      lost_reason: deal.lost_reason,
    }
    const next = { id: deal.id, stage_id: id, stageName: name, type, from }
    if (type === 'lost') setLost(next)
    else move.mutate(next)
  }
  return (
    <div
      role="group"
      aria-label="Stage"
      className="flex h-12 shrink-0 items-center gap-1 overflow-x-auto px-6 [scrollbar-width:none] max-[719px]:px-4"
    >
      {stages.map((stage, index) => {
        const isCurrent = stage.id === deal.stage_id
        const isPassed = stage.type === 'open' && current?.type !== 'lost' && index <= reached
        return (
          <button
            key={stage.id}
            type="button"
            aria-pressed={isCurrent}
            disabled={!isWriter}
            onClick={() => go(stage)}
            className="group flex min-w-20 flex-1 flex-col gap-1.5 rounded-sm pt-1 outline-offset-2"
          >
            <span
              className={classes(
                'h-1 w-full rounded-full',
                isCurrent || isPassed
                  ? TONES[current?.type ?? 'open']
                  : 'bg-active group-hover:bg-line-strong',
              )}
            />
            <span
              className={classes(
                'w-full truncate text-left text-xs',
                isCurrent ? 'font-medium text-ink' : 'text-ink-3 group-hover:text-ink',
              )}
            >
              {stage.name}
            </span>
          </button>
        )
      })}
      <LostDialog
        name={lost && deal.name}
        onClose={() => setLost(undefined)}
        onLost={async lost_reason => lost && lose.mutateAsync({ ...lost, lost_reason })}
      />
    </div>
  )
}
