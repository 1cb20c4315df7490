/** The activities of now: overdue, today and next as a list, or the week as a calendar. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, Plus, SearchX } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, IconButton } from '#components/button.tsx'
import { CreateDialog } from '#components/create-dialog.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { Keys } from '#components/keys.tsx'
import { Screen } from '#components/screen.tsx'
import { Segments } from '#components/segments.tsx'
import { messageOf } from '#data/client.ts'
import { useIsWriter, useSignedIn } from '#data/session.ts'
import { formatDate, formatDay, today as todayOf } from '#lib/format.ts'
import { useShortcuts } from '#lib/keyboard.ts'
import { addDays, mondayOf, sectionsOf } from './agenda.ts'
import { AgendaList } from './agenda-list.tsx'
import { useAgenda, useDone } from './use-activities.ts'
import { Week } from './week.tsx'

const VIEWS = [
  { value: 'list', label: 'List' },
  { value: 'week', label: 'Week' },
] as const
const PEOPLE = [
  { value: 'me', label: 'Mine' },
  { value: 'all', label: 'Everyone' },
] as const

/** The present time, read again each minute: what is planned becomes overdue while the page is open. */
function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

export default function Today() {
  const search: Record<string, unknown> = useSearch({ from: '/app/today' })
  const navigate = useNavigate()
  const { user } = useSignedIn()
  const now = useNow()
  const [isCreating, setCreating] = useState(false)
  const day = todayOf(now)
  const isWeek = search.view === 'week'
  const isEveryone = search.who === 'all'
  const monday = mondayOf(typeof search.week === 'string' ? search.week : day)
  const assigneeId = isEveryone ? undefined : user.id
  const agenda = useAgenda(day, assigneeId)
  const done = useDone()
  const isWriter = useIsWriter()
  const create = isWriter ? () => setCreating(true) : undefined

  const change = (changes: Record<string, string | undefined>) =>
    void navigate({ to: '/today', search: { ...search, ...changes } })
  const showWeek = (week: string) => change({ week: week === mondayOf(day) ? undefined : week })
  useShortcuts({
    c: create,
    l: () => change({ view: undefined }),
    w: () => change({ view: 'week' }),
    ...(isWeek
      ? { arrowleft: () => showWeek(addDays(monday, -7)), arrowright: () => showWeek(addDays(monday, 7)) }
      : {}),
  })
  return (
    <Screen
      title="Today"
      aside={<span className="truncate text-ink-3">{formatDay(now)}</span>}
      actions={
        isWriter && (
          <Button variant="primary" size="sm" onClick={create}>
            <Plus size={14} /> New activity
          </Button>
        )
      }
      toolbar={
        <>
          <Segments
            label="View"
            options={VIEWS}
            value={isWeek ? 'week' : 'list'}
            onChange={view => change({ view: view === 'list' ? undefined : view })}
          />
          <Segments
            label="People"
            options={PEOPLE}
            value={isEveryone ? 'all' : 'me'}
            onChange={who => change({ who: who === 'me' ? undefined : who })}
          />
          {isWeek ? (
            <WeekSteps monday={monday} current={mondayOf(day)} onChange={showWeek} />
          ) : (
            <span className="ml-auto flex items-center gap-1.5 text-xs text-ink-3 max-[719px]:hidden">
              {isWriter && (
                <>
                  <Keys shortcut="d" /> done
                </>
              )}{' '}
              <Keys shortcut="enter" /> open
            </span>
          )}
        </>
      }
    >
      {agenda.error ? (
        <EmptyState icon={SearchX} title="The activities could not be read">
          {messageOf(agenda.error)}
        </EmptyState>
      ) : isWeek ? (
        <Week monday={monday} today={day} assigneeId={assigneeId} />
      ) : (
        <AgendaList
          sections={sectionsOf(agenda.activities, now)}
          isLoading={agenda.isLoading}
          onDone={isWriter ? done : undefined}
          onCreate={create}
        />
      )}
      <CreateDialog
        kind="activity"
        isOpen={isCreating}
        onClose={() => setCreating(false)}
        preset={{ due_date: day }}
      />
    </Screen>
  )
}

interface WeekStepsProps {
  monday: string
  /** the Monday of the present week */
  current: string
  onChange: (monday: string) => void
}

const WeekSteps = ({ monday, current, onChange }: WeekStepsProps) => (
  <span className="ml-auto flex items-center gap-1">
    <span className="text-xs text-ink-2 tabular max-[719px]:hidden">
      {formatDate(monday)} – {formatDate(addDays(monday, 6))}
    </span>
    {monday !== current && (
      <Button variant="ghost" size="sm" onClick={() => onChange(current)}>
        This week
      </Button>
    )}
    <IconButton label="Previous week" onClick={() => onChange(addDays(monday, -7))}>
      <ChevronLeft size={16} />
    </IconButton>
    <IconButton label="Next week" onClick={() => onChange(addDays(monday, 7))}>
      <ChevronRight size={16} />
    </IconButton>
  </span>
)
