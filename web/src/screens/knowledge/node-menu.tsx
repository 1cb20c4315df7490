import { useNavigate } from '@tanstack/react-router'
import { ArrowDown, ArrowUp, Ellipsis, FilePlus, FolderInput, FolderPlus, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '#components/button.tsx'
import { Menu, MenuItem, MenuSeparator } from '#components/menu.tsx'
import { showError } from '#components/toast.tsx'
import { MoveDialog, RenameDialog } from './node-dialogs.tsx'
import { createDocument, deleteDocument, forgetNew, moveDocument, type TreeNode, useIsNew } from './tree.ts'

interface NodeMenuProps {
  node: TreeNode
  siblings: readonly TreeNode[]
  /** whether the document or one below it is open */
  isOpen: boolean
}

/** What can be done with a folder or page of the tree. */
export function NodeMenu({ node, siblings, isOpen }: NodeMenuProps) {
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'move' | 'rename' | undefined>()
  // a new folder asks for its name
  const isToBeNamed = useIsNew(node.id) && node.type === 'folder'
  const closeDialog = () => {
    forgetNew(node.id)
    setDialog(undefined)
  }
  const index = siblings.indexOf(node)
  const create = async (type: 'page' | 'folder') => {
    const id = await createDocument(type, node.id)
    if (id && type === 'page') await navigate({ to: '/knowledge/$id', params: { id } })
  }
  const remove = async () => {
    // first, or the open page would be read once more and not be found
    if (isOpen) await navigate({ to: '/knowledge' })
    await deleteDocument(node)
  }
  const trigger = (
    <IconButton
      label={`More of ${node.title}`}
      className="size-6 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 data-popup-open:opacity-100 max-[719px]:opacity-100"
    >
      <Ellipsis size={14} />
    </IconButton>
  )
  return (
    <>
      <Menu trigger={trigger}>
        {node.type === 'folder' && (
          <>
            <MenuItem icon={<FilePlus size={14} />} onSelect={() => void create('page')}>
              New page
            </MenuItem>
            <MenuItem icon={<FolderPlus size={14} />} onSelect={() => void create('folder')}>
              New folder
            </MenuItem>
            <MenuSeparator />
          </>
        )}
        <MenuItem icon={<Pencil size={14} />} onSelect={() => setDialog('rename')}>
          Rename
        </MenuItem>
        <MenuItem icon={<FolderInput size={14} />} onSelect={() => setDialog('move')}>
          Move to…
        </MenuItem>
        <MenuItem
          icon={<ArrowUp size={14} />}
          isDisabled={index === 0}
          onSelect={() => void moveDocument(node, node.parent_id, index - 1).catch(showError)}
        >
          Move up
        </MenuItem>
        <MenuItem
          icon={<ArrowDown size={14} />}
          isDisabled={index === siblings.length - 1}
          onSelect={() => void moveDocument(node, node.parent_id, index + 1).catch(showError)}
        >
          Move down
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Trash2 size={14} />} isDanger onSelect={() => void remove()}>
          Delete
        </MenuItem>
      </Menu>
      {dialog === 'move' && <MoveDialog node={node} onClose={closeDialog} />}
      {(dialog === 'rename' || isToBeNamed) && <RenameDialog node={node} onClose={closeDialog} />}
    </>
  )
}
