/** The chats and their folders. */
import type { Schemas } from '@kith/client'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { showError } from '#components/toast.tsx'
import { kith } from '#data/client.ts'
import { refreshLists, useCreate, useDelete, useList, useUpdate } from '#data/records.ts'
import { offerUndo } from '#data/undo.ts'
import { saveFile } from '#lib/download.ts'

export type Chat = Schemas['Chat']
export type Folder = Schemas['ChatFolder']

export interface ThreadGroup {
  key: string
  label: string
  folder?: Folder
  chats: Chat[]
}

export function useThreads(search: string, isArchived: boolean) {
  const chats = useList('chats', {
    ...(search ? { search } : {}),
    is_archived: isArchived,
    sort_by: 'updated_at',
    sort_order: 'desc',
    page_size: 100,
  })
  const folders = useList('chatFolders', { page_size: 200 })
  return {
    groups: groupsOf(chats.items, folders.items, search !== '' || isArchived),
    folders: folders.items,
    isLoading: chats.isPending || folders.isPending,
    hasNextPage: chats.hasNextPage,
    fetchNextPage: chats.fetchNextPage,
  }
}

/** Pinned ones, then folders, then the rest; a folder without chats is there to move some into it. */
function groupsOf(chats: Chat[], folders: Folder[], isFound: boolean): ThreadGroup[] {
  if (isFound) return [{ key: 'found', label: '', chats }]
  const pinned = chats.filter(({ is_pinned }) => is_pinned)
  const others = chats.filter(({ is_pinned }) => !is_pinned)
  const known = new Set(folders.map(({ id }) => id))
  return [
    ...(pinned.length > 0 ? [{ key: 'pinned', label: 'Pinned', chats: pinned }] : []),
    ...folders.map(folder => ({
      key: folder.id,
      label: folder.name,
      folder,
      chats: others.filter(({ folder_id }) => folder_id === folder.id),
    })),
    {
      key: 'recent',
      label: 'Recent',
      chats: others.filter(({ folder_id }) => !folder_id || !known.has(folder_id)),
    },
  ]
}

export function useThreadActions() {
  const navigate = useNavigate()
  const update = useUpdate('chats')
  const remove = useDelete('chats')
  const rename = useUpdate('chats', { isForm: true })
  const createFolder = useCreate('chatFolders', { isForm: true })
  const renameFolder = useUpdate('chatFolders', { isForm: true })
  const removeFolder = useDelete('chatFolders')
  const archive = useMutation({
    mutationFn: (chat_id: string) =>
      kith.request('POST', '/api/chats/{chat_id}/archive', { path: { chat_id } }),
    onSuccess: ({ is_archived, id }) => {
      void refreshLists('chats')
      offerUndo(is_archived ? 'Archived the chat' : 'Took the chat out of the archive', async () => {
        await kith.request('POST', '/api/chats/{chat_id}/archive', { path: { chat_id: id } })
        await refreshLists('chats')
      })
    },
    onError: showError,
  })
  return {
    rename: (chat: Chat, title: string) =>
      rename.mutateAsync({ id: chat.id, changes: { title }, message: 'Renamed the chat' }),
    pin: ({ id, is_pinned }: Chat) => update.mutate({ id, changes: { is_pinned: !is_pinned } }),
    move: (chat: Chat, folder: Folder | undefined) =>
      update.mutate({
        id: chat.id,
        changes: { folder_id: folder?.id ?? null },
        message: folder ? `Moved to ${folder.name}` : 'Moved out of its folder',
      }),
    archive: (chat: Chat) => archive.mutate(chat.id),
    remove: ({ id, title }: Chat) =>
      remove.mutate({ id, name: title || 'the chat', leave: () => navigate({ to: '/ask' }) }),
    createFolder: (name: string) => createFolder.mutateAsync({ name }),
    renameFolder: ({ id }: Folder, name: string) =>
      renameFolder.mutateAsync({ id, changes: { name }, message: 'Renamed the folder' }),
    removeFolder: ({ id, name }: Folder) => removeFolder.mutate({ id, name }),
  }
}

export async function exportChat({ id, title }: Chat): Promise<void> {
  const text = await kith.request('GET', '/api/chats/{chat_id}/export', { path: { chat_id: id } })
  saveFile(text, `${title.replaceAll(/[^\p{L}\p{N} ._-]+/gu, ' ').trim() || 'chat'}.md`)
}
