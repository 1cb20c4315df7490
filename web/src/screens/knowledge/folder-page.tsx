import { Link } from '@tanstack/react-router'
import { FileText, Folder, FolderOpen } from 'lucide-react'
import { Badge } from '#components/badge.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { formatCount } from '#lib/format.ts'
import type { TreeNode } from './tree.ts'

/** What a folder has. */
export function FolderPage({ folder }: { folder: TreeNode }) {
  if (folder.children.length === 0) {
    return (
      <EmptyState icon={FolderOpen} title={`${folder.title} is empty`}>
        Create a page: it is put into this folder.
      </EmptyState>
    )
  }
  return (
    <div className="mx-auto max-w-180 px-8 py-8 max-[719px]:px-4">
      <h2 className="mb-4 text-2xl font-semibold">{folder.title}</h2>
      <ul className="divide-y divide-line border-y border-line">
        {folder.children.map(({ id, type, title, visibility, children }) => (
          <li key={id}>
            <Link
              to="/knowledge/$id"
              params={{ id }}
              className="flex h-11 items-center gap-3 px-2 hover:bg-hover"
            >
              {type === 'folder' ? (
                <Folder size={15} className="text-ink-3" />
              ) : (
                <FileText size={15} className="text-ink-3" />
              )}
              <span className="min-w-0 flex-1 truncate font-medium">{title}</span>
              {type === 'folder' && (
                <span className="text-xs text-ink-3">{formatCount(children.length, 'page')}</span>
              )}
              {visibility === 'public' && type === 'page' && <Badge tone="good">Public</Badge>}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
