/** The Query behind a figure: in words, to open as a list, and to change and run again. */
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Braces, ChevronDown, ChevronRight, List, Play } from 'lucide-react'
import { useId, useState } from 'react'
import { Button, buttonClass } from '#components/button.tsx'
import { Textarea } from '#components/input.tsx'
import { kith, messageOf } from '#data/client.ts'
import type { QuerySpec } from './answers.ts'
import { QueryResult } from './query-result.tsx'
import { listOf, queryText } from './query-text.ts'

export function QueryCard({ query }: { query: QuerySpec }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const list = listOf(query)
  const Chevron = isOpen ? ChevronDown : ChevronRight
  return (
    <section aria-label="How it was computed" className="rounded-lg border border-line text-sm">
      <div className="flex min-h-9 items-center gap-2 px-2 py-1 max-[719px]:flex-wrap">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="flex min-w-0 flex-1 items-center gap-1.5 rounded-sm py-1 text-left text-ink-2 hover:text-ink"
        >
          <Chevron size={14} className="shrink-0 text-ink-3" />
          <Braces size={14} className="shrink-0 text-ink-3" />
          <span className="min-w-0 flex-1 leading-5">{queryText(query)}</span>
        </button>
        {list && (
          <Link
            to="/$group"
            params={{ group: list.group }}
            search={list.search}
            className={buttonClass('ghost', 'sm')}
          >
            <List size={14} /> Open as a list
          </Link>
        )}
      </div>
      {isOpen && <QueryEditor id={id} query={query} />}
    </section>
  )
}

function QueryEditor({ id, query }: { id: string; query: QuerySpec }) {
  const [text, setText] = useState(() => JSON.stringify(query, null, 2))
  const parsed = parse(text)
  const run = useMutation({
    mutationFn: (body: QuerySpec) => kith.request('POST', '/api/query', { body }),
  })
  const list = parsed && listOf(parsed)
  return (
    <form
      id={id}
      className="flex flex-col gap-2 border-t border-line p-3"
      onSubmit={event => {
        event.preventDefault()
        if (parsed) run.mutate(parsed)
      }}
    >
      <Textarea
        aria-label="Query"
        spellCheck={false}
        value={text}
        rows={Math.min(16, text.split('\n').length)}
        onChange={event => setText(event.target.value)}
        onKeyDown={event => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && parsed) run.mutate(parsed)
        }}
        className="font-mono text-xs leading-4"
      />
      <div className="flex items-center gap-2">
        <Button size="sm" variant="primary" type="submit" disabled={!parsed || run.isPending}>
          <Play size={13} /> Run
        </Button>
        {list && (
          <Link
            to="/$group"
            params={{ group: list.group }}
            search={list.search}
            className={buttonClass('secondary', 'sm')}
          >
            Open as a list
          </Link>
        )}
        <span className="min-w-0 flex-1 truncate text-xs text-ink-3">
          {parsed ? queryText(parsed) : 'This is not JSON yet.'}
        </span>
      </div>
      {run.error && <p className="text-bad">{messageOf(run.error)}</p>}
      {run.data && <QueryResult result={run.data} />}
    </form>
  )
}

function parse(text: string): QuerySpec | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isQuery = typeof value === 'object' && value !== null && 'entity' in value
    return isQuery ? (value as QuerySpec) : undefined
  } catch {
    return undefined
  }
}
