import { Dialog } from '#components/dialog.tsx'
import { Keys } from '#components/keys.tsx'
import { destinations } from './navigation.ts'

const GENERAL = [
  { label: 'Search and commands', shortcut: 'mod+k' },
  { label: 'Undo the last change', shortcut: 'mod+z' },
  { label: 'Collapse the sidebar', shortcut: 'mod+\\' },
  { label: 'These shortcuts', shortcut: '?' },
]
const LISTS = [
  { label: 'Move in a list', shortcut: '↑ ↓' },
  { label: 'Select the row', shortcut: 'x' },
  { label: 'Open the record', shortcut: 'mod+enter' },
  { label: 'Edit the cell', shortcut: 'F2' },
  { label: 'Search the list', shortcut: '/' },
  { label: 'Create', shortcut: 'c' },
  { label: 'Done (in Today)', shortcut: 'd' },
]

export function ShortcutHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const going = destinations.flatMap(({ label, shortcut }) => (shortcut ? [{ label, shortcut }] : []))
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Keyboard shortcuts">
      <div className="grid gap-x-8 gap-y-4 min-[520px]:grid-cols-2">
        <div className="flex flex-col gap-4">
          <Table title="Everywhere" rows={GENERAL} />
          <Table title="Lists" rows={LISTS} />
        </div>
        <Table title="Go to" rows={going} />
      </div>
    </Dialog>
  )
}

const Table = ({ title, rows }: { title: string; rows: { label: string; shortcut: string }[] }) => (
  <section>
    <h3 className="mb-1 text-xs font-medium text-ink-3">{title}</h3>
    {rows.map(({ label, shortcut }) => (
      <div key={shortcut} className="flex h-7 items-center justify-between">
        {label}
        <Keys shortcut={shortcut} />
      </div>
    ))}
  </section>
)
