/** The deal board: a column for each stage of a pipeline. */
import { CircleUser, Clock, Plus, SquareKanban } from 'lucide-react'
import { useCallback, useRef, useState } from 'react'
import { Button } from '#components/button.tsx'
import { CreateDialog } from '#components/create-dialog.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { LostDialog } from '#components/lost-dialog.tsx'
import { Screen } from '#components/screen.tsx'
import { SearchBox } from '#components/search-box.tsx'
import { Select } from '#components/select.tsx'
import { Skeleton } from '#components/skeleton.tsx'
import type { Board as BoardData } from '#data/board.ts'
import { messageOf } from '#data/client.ts'
import { usePipelines } from '#data/people.tsx'
import { useIsWriter } from '#data/session.ts'
import { useShortcuts } from '#lib/keyboard.ts'
import { BoardSkeleton } from './board-skeleton.tsx'
import { Column } from './column.tsx'
import { type BoardState, isFiltered, useBoard, useBoardState } from './state.ts'
import { Totals } from './totals.tsx'
import { cardOf, useCardKeys } from './use-card-keys.ts'
import { useDrops } from './use-drag.ts'
import { useMoves } from './use-moves.ts'

export default function Board() {
  const { state, change } = useBoardState()
  const { data: board, error } = useBoard(state)
  const moves = useMoves(board, !isFiltered(state))
  const onKeyDown = useCardKeys(board, moves)
  const [creating, setCreating] = useState<{ stage_id?: string }>()
  useDrops(board, moves.move)
  const isWriter = useIsWriter()
  useShortcuts({ c: isWriter ? () => setCreating({}) : undefined })

  // the same function for all cards at all times, so that only changed ones are drawn again
  const current = useRef(moves.move)
  current.current = moves.move
  const onMove = useCallback((id: string, stage: string) => current.current(id, stage), [])
  const first = board?.columns[0]?.stage.id
  const isNone = !isFiltered(state) && (board?.columns.every(({ count }) => count === 0) ?? false)
  return (
    <Screen
      title="Board"
      aside={board && <Totals board={board} />}
      actions={
        isWriter && (
          <Button variant="primary" size="sm" onClick={() => setCreating({})}>
            <Plus size={14} />
            New deal
          </Button>
        )
      }
      toolbar={<Toolbar state={state} change={change} board={board} />}
    >
      {error && !board ? (
        <EmptyState icon={SquareKanban} title="The board could not be read">
          {messageOf(error)}
        </EmptyState>
      ) : !board ? (
        <BoardSkeleton />
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the cards inside
        <div
          onKeyDown={onKeyDown}
          className="flex h-full gap-2 overflow-x-auto p-3 scroll-thin max-[719px]:snap-x max-[719px]:snap-mandatory"
        >
          {board.columns.map((column, index) => (
            <Column
              key={column.stage.id}
              isFirstOfNone={index === 0 && isNone}
              column={column}
              stages={board.columns.map(({ stage }) => stage)}
              onMove={onMove}
              onAdd={stage_id => setCreating({ stage_id })}
            />
          ))}
        </div>
      )}
      <p role="status" className="sr-only">
        {moves.announcement}
      </p>
      <LostDialog
        name={moves.losing?.name}
        onClose={moves.cancel}
        onLost={moves.lose}
        returnFocus={() => cardOf(moves.moved.current ?? '')}
      />
      {creating && (
        <CreateDialog
          kind="deal"
          isOpen
          onClose={() => setCreating(undefined)}
          preset={{ ...(first ? { stage_id: first } : {}), ...creating }}
        />
      )}
    </Screen>
  )
}

interface ToolbarProps {
  state: BoardState
  change: (changes: Partial<BoardState>) => void
  board: BoardData | undefined
}

function Toolbar({ state, change, board }: ToolbarProps) {
  const { pipelines } = usePipelines()
  const options = pipelines
    .filter(({ is_archived }) => !is_archived)
    .map(({ id, name }) => ({ value: id, label: name }))
  return (
    <>
      {pipelines.length === 0 && <Skeleton className="h-8 w-44 shrink-0 max-[719px]:w-32" />}
      {options.length > 1 && (
        <div className="w-44 shrink-0 max-[719px]:w-32">
          <Select
            label="Pipeline"
            value={state.pipeline ?? board?.pipeline.id ?? null}
            options={options}
            onChange={pipeline => change({ pipeline })}
          />
        </div>
      )}
      <div className="min-w-0 max-[719px]:flex-1">
        <SearchBox label="Search deals" value={state.search} onChange={search => change({ search })} />
      </div>
      <Button
        variant="ghost"
        size="sm"
        aria-pressed={state.isMine}
        className={state.isMine ? 'bg-accent-soft text-accent-text' : undefined}
        onClick={() => change({ isMine: !state.isMine })}
      >
        <CircleUser size={14} />
        <span className="max-[719px]:sr-only">Mine</span>
      </Button>
      <Button
        variant="ghost"
        size="sm"
        aria-pressed={state.isRotten}
        className={state.isRotten ? 'bg-accent-soft text-accent-text' : undefined}
        onClick={() => change({ isRotten: !state.isRotten })}
      >
        <Clock size={14} />
        <span className="max-[719px]:sr-only">Rotten</span>
      </Button>
    </>
  )
}
