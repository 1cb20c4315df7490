import { StickyNote } from 'lucide-react'
import { Button } from '#components/button.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { useList } from '#data/records.ts'
import { useIsWriter } from '#data/session.ts'
import { NoteCard } from './note-card.tsx'
import { NoteForm } from './note-form.tsx'
import { Rows } from './rows.tsx'
import { notesOf, type Subject } from './subject.ts'

export const useNotes = (subject: Subject) => useList('notes', notesOf(subject))

export function Notes({ subject }: { subject: Subject }) {
  const { items, isPending, hasNextPage, fetchNextPage } = useNotes(subject)
  const isWriter = useIsWriter()
  const pinned = items.filter(({ is_pinned }) => is_pinned)
  const others = items.filter(({ is_pinned }) => !is_pinned)
  return (
    <div className="flex flex-col gap-4">
      {isWriter && <NoteForm subject={subject} />}
      {isPending ? (
        <Rows />
      ) : items.length === 0 ? (
        <EmptyState icon={StickyNote} title="No notes yet">
          {isWriter && 'Write the first one above: what was said, what matters, what to remember.'}
        </EmptyState>
      ) : (
        <ul className="flex flex-col gap-3">
          {[...pinned, ...others].map(note => (
            <li key={note.id}>
              <NoteCard note={note} />
            </li>
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button size="sm" className="self-start" onClick={() => void fetchNextPage()}>
          Show older notes
        </Button>
      )}
    </div>
  )
}
