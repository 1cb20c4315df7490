/** The knowledge base: the tree at the left and the open page beside it; on a phone one of them. */
import { useNavigate, useParams } from '@tanstack/react-router'
import { ArrowLeft, BookOpen, FilePlus, FolderPlus } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '#components/button.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { Screen } from '#components/screen.tsx'
import { Skeleton } from '#components/skeleton.tsx'
import { useIsWriter } from '#data/session.ts'
import { usePhone } from '#lib/use-media.ts'
import { FolderPage } from './folder-page.tsx'
import { Page } from './page.tsx'
import { createDocument, findNode, useTree } from './tree.ts'
import { TreeList } from './tree-list.tsx'

export default function Knowledge() {
  const { id } = useParams({ strict: false })
  const { data, isLoading } = useTree()
  const navigate = useNavigate()
  const isPhone = usePhone()
  const node = findNode(data ?? [], id)
  const parent = node?.type === 'folder' ? node.id : (node?.parent_id ?? null)
  const [isCreating, setCreating] = useState(false)
  const create = async (type: 'page' | 'folder') => {
    setCreating(true)
    const created = await createDocument(type, parent)
    if (created && type === 'page') await navigate({ to: '/knowledge/$id', params: { id: created } })
    setCreating(false)
  }
  const isWriter = useIsWriter()
  const actions = isWriter && (
    <>
      <IconButton label="New folder" disabled={isCreating} onClick={() => void create('folder')}>
        <FolderPlus size={16} />
      </IconButton>
      {/* its title is typed at once: a space would press the button again */}
      <Button variant="primary" size="sm" disabled={isCreating} onClick={() => void create('page')}>
        <FilePlus size={14} /> New page
      </Button>
    </>
  )
  const back = isPhone && id !== undefined && (
    <IconButton label="Back to the pages" onClick={() => void navigate({ to: '/knowledge' })}>
      <ArrowLeft size={16} />
    </IconButton>
  )
  return (
    <Screen title="Knowledge" before={back} actions={actions}>
      <div className="flex h-full">
        {(!isPhone || id === undefined) && (
          <nav
            aria-label="Knowledge base"
            className="w-64 shrink-0 overflow-y-auto border-r border-line p-2 scroll-thin max-[719px]:w-full max-[719px]:border-0"
          >
            {isLoading ? <TreeSkeleton /> : <TreeList nodes={data ?? []} openId={id} />}
          </nav>
        )}
        {(!isPhone || id !== undefined) && (
          <div className="min-w-0 flex-1 overflow-y-auto scroll-thin">
            {id === undefined || (data && !node) ? (
              <EmptyState
                icon={BookOpen}
                title={id ? 'This page is gone' : data?.length ? 'Choose a page' : 'No pages yet'}
                action={
                  isWriter &&
                  data?.length === 0 && (
                    <Button onClick={() => void create('page')}>Write the first page</Button>
                  )
                }
              >
                {id
                  ? 'It may be in the trash. Choose another one.'
                  : 'Pages have what your team should know. Ask answers from them, and public ones have an address of their own.'}
              </EmptyState>
            ) : node?.type === 'folder' ? (
              <FolderPage folder={node} />
            ) : (
              <Page key={id} id={id} />
            )}
          </div>
        )}
      </div>
    </Screen>
  )
}

const TreeSkeleton = () => (
  <div className="flex flex-col gap-3 p-2" role="status" aria-label="Loading">
    {[28, 36, 24, 32, 40].map(width => (
      <span key={width} style={{ width: width * 4 }}>
        <Skeleton className="h-3 w-full" />
      </span>
    ))}
  </div>
)
