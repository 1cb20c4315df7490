/** A chat in the list, and what can be done with it and its folder. */
import { Link } from '@tanstack/react-router'
import { Archive, Download, Ellipsis, Folder as FolderIcon, Pencil, Pin, PinOff, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '#components/button.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '#components/menu.tsx'
import { showError } from '#components/toast.tsx'
import { classes } from '#lib/classes.ts'
import { NameDialog } from './name-dialog.tsx'
import { type Chat, exportChat, type Folder, type useThreadActions } from './use-threads.ts'

type Actions = ReturnType<typeof useThreadActions>

const HIDDEN = 'opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 data-popup-open:opacity-100'

interface ThreadRowProps {
  chat: Chat
  folders: readonly Folder[]
  isCurrent: boolean
  actions: Actions
}

export function ThreadRow({ chat, folders, isCurrent, actions }: ThreadRowProps) {
  const [isRenaming, setRenaming] = useState(false)
  const title = chat.title || 'New chat'
  const { is_pinned, is_archived, folder_id } = chat
  return (
    <li
      className={classes(
        'group flex h-8 items-center gap-1 rounded-md pr-0.5 hover:bg-hover max-[719px]:h-10',
        isCurrent && 'bg-active',
      )}
    >
      <Link
        to="/ask/$id"
        params={{ id: chat.id }}
        title={title}
        className={classes('min-w-0 flex-1 truncate rounded-md px-2 py-1.5', isCurrent && 'font-medium')}
      >
        {title}
      </Link>
      <Menu
        align="end"
        trigger={
          <IconButton label={`More for ${title}`} className={HIDDEN}>
            <Ellipsis size={14} />
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil size={14} />} onSelect={() => setRenaming(true)}>
          Rename
        </MenuItem>
        <MenuItem
          icon={is_pinned ? <PinOff size={14} /> : <Pin size={14} />}
          onSelect={() => actions.pin(chat)}
        >
          {is_pinned ? 'Unpin' : 'Pin'}
        </MenuItem>
        <MenuItem icon={<Archive size={14} />} onSelect={() => actions.archive(chat)}>
          {is_archived ? 'Take out of the archive' : 'Archive'}
        </MenuItem>
        <MenuItem icon={<Download size={14} />} onSelect={() => void exportChat(chat).catch(showError)}>
          Save as Markdown
        </MenuItem>
        {folders.length > 0 && (
          <>
            <MenuSeparator />
            <MenuLabel>Move to</MenuLabel>
            {folders
              .filter(({ id }) => id !== folder_id)
              .map(folder => (
                <MenuItem
                  key={folder.id}
                  icon={<FolderIcon size={14} />}
                  onSelect={() => actions.move(chat, folder)}
                >
                  {folder.name}
                </MenuItem>
              ))}
            {folder_id && (
              <MenuItem icon={<FolderIcon size={14} />} onSelect={() => actions.move(chat, undefined)}>
                No folder
              </MenuItem>
            )}
          </>
        )}
        <MenuSeparator />
        <MenuItem icon={<Trash2 size={14} />} isDanger onSelect={() => actions.remove(chat)}>
          Delete
        </MenuItem>
      </Menu>
      <NameDialog
        isOpen={isRenaming}
        onClose={() => setRenaming(false)}
        title="Rename the chat"
        action="Rename"
        initial={title}
        field="title"
        onSave={name => actions.rename(chat, name)}
      />
    </li>
  )
}

export function FolderMenu({ folder, actions }: { folder: Folder; actions: Actions }) {
  const [isRenaming, setRenaming] = useState(false)
  return (
    <>
      <Menu
        align="end"
        trigger={
          <IconButton label={`More for the folder ${folder.name}`} className={HIDDEN}>
            <Ellipsis size={14} />
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil size={14} />} onSelect={() => setRenaming(true)}>
          Rename
        </MenuItem>
        <MenuItem icon={<Trash2 size={14} />} isDanger onSelect={() => actions.removeFolder(folder)}>
          Delete the folder
        </MenuItem>
      </Menu>
      <NameDialog
        isOpen={isRenaming}
        onClose={() => setRenaming(false)}
        title="Rename the folder"
        action="Rename"
        initial={folder.name}
        onSave={name => actions.renameFolder(folder, name)}
      />
    </>
  )
}
