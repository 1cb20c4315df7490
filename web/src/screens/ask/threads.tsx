/** The chats in their folders. */

import { Link } from '@tanstack/react-router'
import { Archive, FolderPlus, SquarePen } from 'lucide-react'
import { useState } from 'react'
import { Button, buttonClass, IconButton } from '#components/button.tsx'
import { Input } from '#components/input.tsx'
import { Skeleton } from '#components/skeleton.tsx'
import { useDebounced } from '#lib/use-debounced.ts'
import { NameDialog } from './name-dialog.tsx'
import { FolderMenu, ThreadRow } from './thread-row.tsx'
import { useThreadActions, useThreads } from './use-threads.ts'

const SEARCH_MS = 150

export function Threads({ current }: { current: string | undefined }) {
  const [text, setText] = useState('')
  const search = useDebounced(text.trim(), SEARCH_MS)
  const [isArchived, setArchived] = useState(false)
  const [isNaming, setNaming] = useState(false)
  const { groups, folders, isLoading, hasNextPage, fetchNextPage } = useThreads(search, isArchived)
  const actions = useThreadActions()
  return (
    <nav
      aria-label="Chats"
      className="flex h-full w-64 shrink-0 flex-col border-r border-line bg-canvas max-[719px]:h-auto max-[719px]:w-full max-[719px]:border-r-0 max-[719px]:bg-surface"
    >
      <div className="flex shrink-0 items-center gap-1 p-2">
        <Link to="/ask" className={buttonClass('secondary', 'sm', 'flex-1')}>
          <SquarePen size={14} /> New chat
        </Link>
        <IconButton label="New folder" onClick={() => setNaming(true)}>
          <FolderPlus size={15} />
        </IconButton>
        <IconButton
          label={isArchived ? 'Show the current chats' : 'Show archived chats'}
          aria-pressed={isArchived}
          className={isArchived ? 'bg-active text-ink' : undefined}
          onClick={() => setArchived(!isArchived)}
        >
          <Archive size={15} />
        </IconButton>
      </div>
      <div className="px-2 pb-1">
        <Input
          type="search"
          aria-label="Search chats"
          placeholder="Search chats"
          value={text}
          onChange={event => setText(event.target.value)}
          className="h-7"
        />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-2 pt-1 pb-4 scroll-thin">
        {isLoading && [60, 48, 72].map(width => <RowSkeleton key={width} width={width} />)}
        {!isLoading &&
          groups.map(({ key, label, folder, chats }) => (
            <section key={key} aria-label={label || 'Chats'} className="mt-3 first:mt-0">
              {label && (
                <div className="group flex h-6 items-center gap-1 px-2">
                  <h2 className="min-w-0 flex-1 truncate text-2xs font-medium text-ink-3">{label}</h2>
                  {folder && <FolderMenu folder={folder} actions={actions} />}
                </div>
              )}
              {chats.length === 0 && (
                <p className="px-2 py-1 text-xs text-ink-3">
                  {folder
                    ? 'Move chats here from their menu.'
                    : isArchived
                      ? 'Nothing is archived.'
                      : 'No chats.'}
                </p>
              )}
              <ul>
                {chats.map(chat => (
                  <ThreadRow
                    key={chat.id}
                    chat={chat}
                    folders={folders}
                    isCurrent={chat.id === current}
                    actions={actions}
                  />
                ))}
              </ul>
            </section>
          ))}
        {hasNextPage && (
          <Button variant="ghost" size="sm" onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        )}
      </div>
      <NameDialog
        isOpen={isNaming}
        onClose={() => setNaming(false)}
        title="New folder"
        action="Create"
        onSave={actions.createFolder}
      />
    </nav>
  )
}

const RowSkeleton = ({ width }: { width: number }) => (
  <div className="flex h-8 items-center px-2">
    <span style={{ width: `${width}%` }}>
      <Skeleton className="h-3 w-full" />
    </span>
  </div>
)
