/** A file to import, and the imports so far. */
import { useNavigate } from '@tanstack/react-router'
import { FileDown, Import as ImportIcon } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { DropZone } from '#components/drop-zone.tsx'
import { Menu, MenuItem } from '#components/menu.tsx'
import { Screen } from '#components/screen.tsx'
import { showError } from '#components/toast.tsx'
import { kith } from '#data/client.ts'
import { useIsWriter } from '#data/session.ts'
import { csvFor, usualDelimiter } from '#lib/csv.ts'
import { saveFile } from '#lib/download.ts'
import { humanize } from '#lib/format.ts'
import { ChosenFile } from './chosen-file.tsx'
import { History } from './history.tsx'
import { IMPORT_KINDS, type ImportKind, KIND_NAMES, kindOfFile } from './kinds.ts'
import { useUpload } from './use-import.ts'

const ENDINGS = '.csv,.tsv,.txt,.xlsx,.json,.jsonl,.ndjson,.vcf,.ics'

/** What is wrong with a file by its name: a dropped one passes the filter of the browser's dialog. */
function refusalOf({ name }: File): string {
  const ending = /\.[^.]+$/.exec(name)?.[0].toLowerCase()
  return !ending || ENDINGS.split(',').includes(ending)
    ? ''
    : `${name} cannot be imported: a ${ending} file is no table. Choose a CSV, Excel (.xlsx), JSON, vCard or calendar file.`
}

export function Start() {
  const navigate = useNavigate()
  const upload = useUpload()
  const isWriter = useIsWriter()
  const [file, setFile] = useState<File>()
  const [problem, setProblem] = useState('')
  const [kind, setKind] = useState<ImportKind>('contact')
  const choose = (chosen: File | undefined) => {
    if (!chosen) return
    const refusal = refusalOf(chosen)
    setProblem(refusal)
    if (refusal) return
    setFile(chosen)
    setKind(kindOfFile(chosen.name))
  }
  const send = async () => {
    if (!file) return
    const created = await upload.mutateAsync({ file, entity_type: kind }).catch(() => undefined)
    if (created) void navigate({ to: '/imports/$id', params: { id: created.id } })
  }
  return (
    <Screen title="Import" actions={<Templates />}>
      <div className="mx-auto flex max-w-3xl flex-col gap-8 px-4 py-6">
        {isWriter && (
          <DropZone
            label="File"
            accept={ENDINGS}
            onFiles={([first]) => choose(first)}
            className="rounded-lg border border-dashed border-line-strong bg-canvas"
          >
            {open =>
              file ? (
                <ChosenFile
                  file={file}
                  kind={kind}
                  onKind={setKind}
                  isSending={upload.isPending}
                  onSend={() => void send()}
                  onReplace={open}
                />
              ) : (
                <div className="flex min-h-48 flex-col items-center justify-center gap-1 px-4 py-8 text-center">
                  <ImportIcon size={18} className="mb-2 text-ink-3" />
                  <h2 className="font-semibold">Drop a file here</h2>
                  <p className="text-ink-2">CSV, Excel, JSON, vCard or calendar, from any product.</p>
                  <p className="text-xs text-ink-3">Nothing is written before you have seen what it does.</p>
                  <Button variant="primary" className="mt-3" onClick={open}>
                    Choose a file
                  </Button>
                </div>
              )
            }
          </DropZone>
        )}
        {problem && (
          <p role="alert" className="-mt-5 rounded-md bg-bad-soft px-3 py-2 text-bad">
            {problem}
          </p>
        )}
        <History />
      </div>
    </Screen>
  )
}

/** Empty files with a column for every field. */
function Templates() {
  const save = async (entity_type: ImportKind) => {
    const path = { entity_type }
    const text = await kith.request('GET', '/api/imports/template/{entity_type}', { path })
    saveFile(csvFor(usualDelimiter(), text), `${IMPORT_KINDS[entity_type].many}-template.csv`)
  }
  return (
    <Menu
      align="end"
      trigger={
        <Button variant="ghost" size="sm">
          <FileDown size={14} /> Empty file
        </Button>
      }
    >
      {KIND_NAMES.map(kind => {
        const { many, icon: Icon } = IMPORT_KINDS[kind]
        return (
          <MenuItem key={kind} icon={<Icon size={14} />} onSelect={() => void save(kind).catch(showError)}>
            {humanize(many)}
          </MenuItem>
        )
      })}
    </Menu>
  )
}
