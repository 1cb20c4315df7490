import { Link } from '@tanstack/react-router'
import { CircleDot, type LucideIcon, Pin, StickyNote } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Markdown } from '#components/markdown.tsx'
import { TimeAgo } from '#components/time-ago.tsx'
import { useMembers } from '#data/people.tsx'
import { formatCount } from '#lib/format.ts'
import { ACTIVITY_ICONS } from './activity-row.tsx'
import { ChangeText } from './change-text.tsx'
import type { Change, Moment } from './history.ts'
import type { Subject } from './subject.ts'

interface MomentProps {
  moment: Moment
  subject: Subject
}

/** An entry of the timeline: an icon on a line, a sentence, and what was written. */
export function MomentEntry({ moment, subject }: MomentProps) {
  const { byId } = useMembers()
  if (moment.kind === 'changes') return <Changes changes={moment.changes} subject={subject} />
  if (moment.kind === 'note') {
    const { title, content, user_id, is_pinned } = moment.note
    return (
      <Entry icon={is_pinned ? Pin : StickyNote} at={moment.at}>
        <span className="text-ink-2">
          <b className="font-medium text-ink">{byId.get(user_id ?? '')?.name ?? 'Service'}</b> wrote
          {title ? ` ${title}` : ' a note'}
        </span>
        <Quote text={content} />
      </Entry>
    )
  }
  const { id, type, subject: name, outcome, description } = moment.activity
  return (
    <Entry icon={ACTIVITY_ICONS[type]} at={moment.at}>
      <Link to="/$group/$id" params={{ group: 'activities', id }} className="font-medium hover:underline">
        {name}
      </Link>
      {(description || outcome) && <Quote text={[description, outcome].filter(Boolean).join('\n')} />}
    </Entry>
  )
}

function Entry({ icon: Icon, at, children }: { icon: LucideIcon; at: string; children: ReactNode }) {
  return (
    <li className="relative flex gap-3 pb-4 before:absolute before:top-6 before:bottom-0 before:left-3 before:w-px before:bg-line last:before:hidden">
      <span className="z-1 flex size-6 shrink-0 items-center justify-center rounded-full border border-line bg-surface text-ink-3">
        <Icon size={12} />
      </span>
      <div className="min-w-0 flex-1 pt-0.5">{children}</div>
      <TimeAgo time={at} className="shrink-0 pt-0.5 text-xs text-ink-3" />
    </li>
  )
}

const Quote = ({ text }: { text: string }) => (
  <div className="mt-0.5 line-clamp-4 max-w-[68ch] break-words text-ink-2">
    <Markdown text={text} />
  </div>
)

function Changes({ changes, subject }: { changes: Change[]; subject: Subject }) {
  const [isOpen, setOpen] = useState(false)
  const [first, ...others] = changes
  if (!first) return null
  return (
    <Entry icon={CircleDot} at={first.at}>
      <div className="flex flex-col gap-1 text-ink-2">
        <ChangeText change={first} subject={subject} />
        {isOpen && others.map(change => <ChangeText key={change.id} change={change} subject={subject} />)}
      </div>
      {others.length > 0 && !isOpen && (
        <button
          type="button"
          onClick={() => setOpen(true)}
          className="rounded-sm text-xs text-ink-3 hover:text-ink"
        >
          and {formatCount(others.length, 'more change')}
        </button>
      )}
    </Entry>
  )
}
