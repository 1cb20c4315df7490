/** Two people, or one in two tabs, changed a page at once: both texts, to choose one. */
import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { diffLines, linesOf } from './diff.ts'
import { DiffView } from './diff-view.tsx'
import type { Conflict } from './page-saver.ts'

interface ConflictNoticeProps {
  conflict: Conflict
  onDecide: (choice: 'mine' | 'theirs') => void
}

export function ConflictNotice({ conflict: { mine, theirs }, onDecide }: ConflictNoticeProps) {
  const [isComparing, setComparing] = useState(false)
  const choices = (
    <>
      <Button size="sm" onClick={() => onDecide('theirs')}>
        Take theirs
      </Button>
      <Button size="sm" variant="primary" onClick={() => onDecide('mine')}>
        Keep mine
      </Button>
    </>
  )
  return (
    <div role="alert" className="mb-2 rounded-md bg-warn-soft px-3 py-2">
      <p className="text-warn">
        This page was changed elsewhere while you were writing, so your text is not saved yet. The text that
        you do not choose stays among the revisions.
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button size="sm" onClick={() => setComparing(true)}>
          Compare
        </Button>
        {choices}
      </div>
      {isComparing && (
        <Dialog
          isOpen
          onClose={() => setComparing(false)}
          size="wide"
          title="Theirs and yours"
          description="Struck out is what only theirs has; with a plus is what only yours has."
          footer={choices}
        >
          <div className="flex h-[60vh]">
            <DiffView
              label="Theirs and yours"
              lines={diffLines(linesOf(theirs.content), linesOf(mine))}
              whenSame="Both texts say the same; only their format differs."
            />
          </div>
        </Dialog>
      )}
    </div>
  )
}
