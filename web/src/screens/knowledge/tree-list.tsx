/** The tree of folders and pages. Folders open and close; pages are links. */
import { Link } from '@tanstack/react-router'
import { ChevronRight, FileText, Folder, Globe } from 'lucide-react'
import { useState } from 'react'
import { useIsWriter } from '#data/session.ts'
import { classes } from '#lib/classes.ts'
import { NodeMenu } from './node-menu.tsx'
import { findNode, type TreeNode } from './tree.ts'

interface TreeListProps {
  nodes: readonly TreeNode[]
  /** the open document */
  openId: string | undefined
  depth?: number
}

export function TreeList({ nodes, openId, depth = 0 }: TreeListProps) {
  return (
    <ul {...(depth === 0 ? { 'aria-label': 'Pages' } : {})} className="flex flex-col gap-px">
      {nodes.map(node => (
        <TreeItem key={node.id} node={node} siblings={nodes} openId={openId} depth={depth} />
      ))}
    </ul>
  )
}

interface TreeItemProps {
  node: TreeNode
  siblings: readonly TreeNode[]
  openId: string | undefined
  depth: number
}

function TreeItem({ node, siblings, openId, depth }: TreeItemProps) {
  const isWriter = useIsWriter()
  const [isClosed, setClosed] = useState(false)
  const isFolder = node.type === 'folder'
  const Icon = isFolder ? Folder : FileText
  return (
    <li>
      <div
        className={classes(
          'group flex h-7 items-center gap-0.5 rounded-md pr-0.5 hover:bg-hover max-[719px]:h-10',
          node.id === openId && 'bg-active',
        )}
        style={{ paddingLeft: depth * 14 + 2 }}
      >
        {isFolder ? (
          <button
            type="button"
            aria-expanded={!isClosed}
            aria-label={`${node.title}: ${isClosed ? 'open' : 'close'} the folder`}
            onClick={() => setClosed(!isClosed)}
            className="flex size-5 shrink-0 items-center justify-center rounded-sm text-ink-3 hover:bg-active"
          >
            <ChevronRight size={13} className={classes('transition-transform', !isClosed && 'rotate-90')} />
          </button>
        ) : (
          <span className="w-5 shrink-0" />
        )}
        <Link
          to="/knowledge/$id"
          params={{ id: node.id }}
          aria-current={node.id === openId ? 'page' : undefined}
          className={classes(
            'flex h-full min-w-0 flex-1 items-center gap-2 rounded-sm',
            node.id === openId ? 'font-medium text-ink' : 'text-ink-2',
          )}
        >
          <Icon size={14} className="shrink-0 text-ink-3" />
          <span className="truncate">{node.title}</span>
          {node.visibility === 'public' && !isFolder && (
            <Globe size={12} role="img" className="shrink-0 text-good" aria-label="Public" />
          )}
        </Link>
        {isWriter && (
          <NodeMenu node={node} siblings={siblings} isOpen={findNode([node], openId) !== undefined} />
        )}
      </div>
      {isFolder && !isClosed && node.children.length > 0 && (
        <TreeList nodes={node.children} openId={openId} depth={depth + 1} />
      )}
    </li>
  )
}
