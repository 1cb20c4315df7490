/** The file that was dropped, and the question what its rows are. */
import { FileSpreadsheet } from 'lucide-react'
import { Button } from '#components/button.tsx'
import { formatSize, humanize } from '#lib/format.ts'
import { IMPORT_KINDS, type ImportKind, KIND_NAMES } from './kinds.ts'

interface ChosenFileProps {
  file: File
  kind: ImportKind
  onKind: (kind: ImportKind) => void
  isSending: boolean
  onSend: () => void
  onReplace: () => void
}

export function ChosenFile({ file, kind, onKind, isSending, onSend, onReplace }: ChosenFileProps) {
  return (
    <form
      className="flex min-h-48 flex-col gap-4 p-4"
      onSubmit={event => {
        event.preventDefault()
        onSend()
      }}
    >
      <div className="flex items-center gap-3">
        <FileSpreadsheet size={18} className="shrink-0 text-ink-3" />
        <span className="min-w-0 flex-1 truncate font-medium">{file.name}</span>
        <span className="text-xs text-ink-3 tabular">{formatSize(file.size)}</span>
        <Button variant="ghost" size="sm" onClick={onReplace}>
          Another file
        </Button>
      </div>
      <fieldset>
        <legend className="mb-2 text-xs font-medium text-ink-2">Each row is</legend>
        <div className="grid grid-cols-2 gap-2 min-[520px]:grid-cols-3">
          {KIND_NAMES.map(name => (
            <KindChoice key={name} name={name} isChosen={name === kind} onChoose={() => onKind(name)} />
          ))}
        </div>
      </fieldset>
      <div className="flex justify-end">
        <Button variant="primary" type="submit" disabled={isSending}>
          {isSending ? 'Reading the file…' : 'Continue'}
        </Button>
      </div>
    </form>
  )
}

interface KindChoiceProps {
  name: ImportKind
  isChosen: boolean
  onChoose: () => void
}

function KindChoice({ name, isChosen, onChoose }: KindChoiceProps) {
  const { one, icon: Icon } = IMPORT_KINDS[name]
  return (
    <label className="flex h-9 items-center gap-2 rounded-md border border-line-strong bg-surface px-2.5 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent">
      <input
        type="radio"
        name="kind"
        value={name}
        checked={isChosen}
        onChange={onChoose}
        className="sr-only"
      />
      <Icon size={15} className="shrink-0 text-ink-2" />
      {humanize(one)}
    </label>
  )
}
