/** The command palette: find any record, go to any screen, create a record, ask a question. */
import { Dialog } from '@base-ui/react/dialog'
import { useNavigate } from '@tanstack/react-router'
import { Command as Base } from 'cmdk'
import { MessageCircleQuestion, Search, Sparkles } from 'lucide-react'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { recordPath } from '#app/found-kinds.ts'
import { hasScreen, type PaletteProps } from '#app/screens.ts'
import { CreateDialog } from '#components/create-dialog.tsx'
import { Keys } from '#components/keys.tsx'
import { showError } from '#components/toast.tsx'
import type { FieldKind } from '#data/fields.ts'
import { GROUP_OF_KIND } from '#data/groups.ts'
import { useIsWriter } from '#data/session.ts'
import { ReturnFocus } from '#lib/focus.ts'
import { Answer, sourcesOf } from './answer.tsx'
import { commandsOf, isQuestion, matchingCommands } from './commands.ts'
import { CommandRow, Group, RecordRow, Row, RowSkeletons } from './rows.tsx'
import { useFound, useQuestion } from './use-palette.ts'

const GROUPS = ['Go to', 'Create', 'Change', 'Theme'] as const
const ASK = 'ask'
const CHAT = 'chat'

export default function Palette({ isOpen, onClose }: PaletteProps) {
  const navigate = useNavigate()
  const isWriter = useIsWriter()
  const [creating, setCreating] = useState<FieldKind>()
  const go = (to: string) => {
    onClose()
    void navigate({ href: to })
  }
  if (creating) {
    const openCreated = ({ id }: { id: string }) => go(`/${GROUP_OF_KIND[creating]}/${id}`)
    return <CreateDialog kind={creating} isOpen={isOpen} onClose={onClose} onCreated={openCreated} />
  }
  return (
    <Dialog.Root open={isOpen} onOpenChange={open => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <Dialog.Popup
          aria-label="Search and commands"
          className="fixed top-[12vh] left-1/2 z-40 w-[min(640px,calc(100vw-24px))] -translate-x-1/2 overflow-hidden rounded-lg bg-raised shadow-float outline-none max-[719px]:top-3"
        >
          <ReturnFocus />
          <Content go={go} create={isWriter ? setCreating : undefined} close={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface ContentProps {
  go: (to: string) => void
  create: ((kind: FieldKind) => void) | undefined
  close: () => void
}

function Content({ go, create, close }: ContentProps) {
  const [text, setText] = useState('')
  const [selected, setSelected] = useState('')
  const { records, isSearching } = useFound(text)
  const { question, answer, error, isAnswering, ask, clear } = useQuestion()
  const commands = question ? [] : matchingCommands(commandsOf({ go, create, close }), text)
  const shown = question ? sourcesOf(answer) : records
  const idOf = (index: number) => `record ${index} ${shown[index]?.entity_id}`
  const isAsking = text.trim() !== '' && question !== text.trim()
  const isAskFirst = isAsking && isQuestion(text)
  const first = isAskFirst ? ASK : (commands[0]?.id ?? (shown.length > 0 ? idOf(0) : question ? CHAT : ASK))
  // results arrive after the text: Enter opens the row that is now on top
  useEffect(() => setSelected(first), [first])

  const openRecord = (kind: string, id: string) => recordPath(kind, id).then(go, showError)
  // Enter before the results are there, or with those of an earlier text: it opens the first one once they are
  const [isWaiting, setWaiting] = useState(false)
  const holdEnter = (event: KeyboardEvent) => {
    const isFirst = selected === first && commands.length === 0 && !isAskFirst && !question
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || !isSearching || !isFirst) return
    event.preventDefault()
    setWaiting(true)
  }
  useEffect(() => {
    if (!isWaiting || isSearching) return
    setWaiting(false)
    const [result] = records
    if (result) void openRecord(result.entity_type, result.entity_id)
    else ask(text.trim())
  })
  const openChat = () => go(`/ask?q=${encodeURIComponent(question)}`)
  const askRow = isAsking && (
    <Group heading="Ask" key={ASK}>
      <Row id={ASK} icon={<Sparkles size={15} />} onSelect={() => ask(text.trim())}>
        Ask “{text.trim()}”
      </Row>
    </Group>
  )
  return (
    <Base
      label="Search and commands"
      shouldFilter={false}
      loop
      value={selected}
      onValueChange={setSelected}
      onKeyDown={holdEnter}
      className="flex h-[min(460px,70vh)] flex-col"
    >
      <div className="flex h-12 shrink-0 items-center gap-2.5 border-b border-line px-4">
        <Search size={16} className="shrink-0 text-ink-3" />
        <Base.Input
          autoFocus
          value={text}
          onValueChange={next => {
            setText(next)
            setWaiting(false)
            clear()
          }}
          placeholder="Find a record, go somewhere, ask a question…"
          className="h-full min-w-0 flex-1 bg-transparent text-base outline-none"
        />
        <Keys shortcut="escape" />
      </div>
      {question && <Answer question={question} answer={answer} error={error} />}
      {/* another list for the answer: rows that can be chosen never move down when it and its sources arrive */}
      <Base.List
        key={isAnswering ? 'answering' : 'rows'}
        className="min-h-0 flex-1 overflow-y-auto scroll-py-1.5 p-1.5 scroll-thin"
      >
        {isAskFirst && askRow}
        {GROUPS.map(group => {
          const rows = commands.filter(command => command.group === group)
          if (rows.length === 0) return null
          return (
            <Group key={group} heading={group}>
              {rows.map(command => (
                <CommandRow key={command.id} command={command} />
              ))}
            </Group>
          )
        })}
        {shown.length > 0 && (
          <Group heading={question ? 'Sources' : 'Records'}>
            {shown.map((found, index) => (
              <RecordRow
                key={idOf(index)}
                id={idOf(index)}
                found={found}
                onSelect={() => openRecord(found.entity_type, found.entity_id)}
              />
            ))}
          </Group>
        )}
        {question && !isAnswering && create && hasScreen('ask') && (
          <Group heading="Ask">
            <Row id={CHAT} icon={<MessageCircleQuestion size={15} />} onSelect={openChat}>
              Go on in a chat
            </Row>
          </Group>
        )}
        {(isAnswering || (isSearching && !question && shown.length === 0)) && <RowSkeletons />}
        {!isAskFirst && askRow}
      </Base.List>
    </Base>
  )
}
