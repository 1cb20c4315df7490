import { Link, useNavigate } from '@tanstack/react-router'
import { ChevronDown, ChevronUp, Copy, Ellipsis, Star, Trash2 } from 'lucide-react'
import { IconButton } from '#components/button.tsx'
import { Menu, MenuItem } from '#components/menu.tsx'
import { showError, toast } from '#components/toast.tsx'
import { lastList } from '#data/last-list.ts'
import { useDelete } from '#data/records.ts'
import { useIsWriter } from '#data/session.ts'
import { copyText } from '#lib/copy.ts'
import { formatNumber, humanize } from '#lib/format.ts'
import { useShortcuts } from '#lib/keyboard.ts'
import { AddMenu } from './add-menu.tsx'
import { useNeighbours } from './neighbours.ts'
import type { AnyRecord, Subject } from './subject.ts'
import { starOf, useStar } from './use-star.ts'

/** Beside the title: the star and the way back to the list. */
export function StarButton({ subject, record }: { subject: Subject; record: AnyRecord }) {
  const star = useStar(subject)
  const isWriter = useIsWriter()
  const isStarred = isWriter ? starOf(record) : undefined
  const toggle = () => star.mutate(!isStarred)
  useShortcuts({ s: isStarred === undefined ? undefined : toggle })
  if (isStarred === undefined) return null
  return (
    <IconButton
      label={isStarred ? 'Remove the star' : 'Star'}
      aria-pressed={isStarred}
      onClick={toggle}
      className={isStarred ? 'text-warn' : undefined}
    >
      <Star size={15} fill={isStarred ? 'currentColor' : 'none'} />
    </IconButton>
  )
}

/** The list as the person left it, with its filters. */
export const BackLink = ({ group }: { group: string }) => (
  <Link
    to="/$group"
    params={{ group }}
    search={lastList(group).search}
    className="shrink-0 text-ink-3 hover:text-ink hover:underline max-[719px]:hidden"
  >
    in {humanize(group)}
  </Link>
)

/** At the right: previous and next, add, and the rest. */
export function RecordActions({ subject }: { subject: Subject }) {
  const { group, id, name } = subject
  const navigate = useNavigate()
  const remove = useDelete(group)
  const neighbours = useNeighbours(subject)
  const isWriter = useIsWriter()
  const go = (to: string | null | undefined) => {
    // the tab remains open: people look at the same tab of several records
    if (to) void navigate({ to: '/$group/$id', params: { group, id: to }, search: true, replace: true })
  }
  useShortcuts({ j: () => go(neighbours?.next), k: () => go(neighbours?.previous) })
  const copy = async () => {
    await copyText(location.origin + location.pathname)
    toast('Copied the link')
  }
  const deleteIt = () => {
    const leave = () => navigate({ to: '/$group', params: { group }, search: lastList(group).search })
    remove.mutate({ id, name, leave })
  }
  return (
    <>
      <span className="w-20 text-right text-xs text-ink-3 tabular max-[719px]:hidden">
        {neighbours && `${formatNumber(neighbours.position)} of ${formatNumber(neighbours.total)}`}
      </span>
      <IconButton
        label="Previous (K)"
        data-mark="previous"
        focusableWhenDisabled
        disabled={!neighbours?.previous}
        onClick={() => go(neighbours?.previous)}
      >
        <ChevronUp size={16} />
      </IconButton>
      <IconButton
        label="Next (J)"
        data-mark="next"
        focusableWhenDisabled
        disabled={!neighbours?.next}
        onClick={() => go(neighbours?.next)}
      >
        <ChevronDown size={16} />
      </IconButton>
      <Menu
        align="end"
        trigger={
          <IconButton label="More">
            <Ellipsis size={16} />
          </IconButton>
        }
      >
        <MenuItem icon={<Copy size={14} />} onSelect={() => void copy().catch(showError)}>
          Copy the link
        </MenuItem>
        {isWriter && (
          <MenuItem icon={<Trash2 size={14} />} isDanger onSelect={deleteIt}>
            Delete
          </MenuItem>
        )}
      </Menu>
      {isWriter && <AddMenu subject={subject} />}
    </>
  )
}
