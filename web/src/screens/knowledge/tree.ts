/** The documents of the knowledge base as a tree, without their content. */
import type { Schemas } from '@kith/client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { showError } from '#components/toast.tsx'
import { kith, queryClient } from '#data/client.ts'
import { keys } from '#data/keys.ts'
import { offerUndo } from '#data/undo.ts'
import { renamed } from './address.ts'

export type TreeNode = Schemas['KnowledgeBaseTreeNode']

const treeKey = keys.other('documents', 'tree')

export const refreshDocuments = () =>
  queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'documents' })

const tree = queryOptions({
  queryKey: treeKey,
  queryFn: ({ signal }) => kith.request('GET', '/api/kb/tree', { signal }),
})

export const useTree = () => useQuery(tree)

/** All nodes from the root down, each with the titles above it. */
export const flatten = (
  nodes: readonly TreeNode[],
  above: string[] = [],
): { node: TreeNode; path: string[] }[] =>
  nodes.flatMap(node => [{ node, path: above }, ...flatten(node.children, [...above, node.title])])

export const findNode = (nodes: readonly TreeNode[], id: string | undefined): TreeNode | undefined =>
  flatten(nodes).find(({ node }) => node.id === id)?.node

/** Folders that a document can be moved to: not itself, and nothing inside it. */
export function foldersFor(nodes: readonly TreeNode[], moved: TreeNode) {
  const own = new Set([moved.id, ...flatten(moved.children).map(({ node }) => node.id)])
  return flatten(nodes).filter(({ node }) => node.type === 'folder' && !own.has(node.id))
}

/** The document that was created last, until its title is written. */
let created: string | undefined
const listeners = new Set<() => void>()
function setCreated(id: string | undefined): void {
  created = id
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
/** The live update can show a document before the request that creates it is answered. */
export const useIsNew = (id: string): boolean => useSyncExternalStore(subscribe, () => id === created)
export const forgetNew = (id: string): void => {
  if (id === created) setCreated(undefined)
}

/** After the last document of the folder. */
function positionAfter(nodes: readonly TreeNode[], parent_id: string | null): number {
  const siblings = parent_id === null ? nodes : (findNode(nodes, parent_id)?.children ?? [])
  return Math.max(-1, ...siblings.map(({ position }) => position)) + 1
}

export async function createDocument(
  type: 'page' | 'folder',
  parent_id: string | null,
): Promise<string | undefined> {
  try {
    const title = type === 'page' ? 'Untitled' : 'New folder'
    const position = positionAfter(await queryClient.ensureQueryData(tree), parent_id)
    const { id } = await kith.documents.create({ type, title, parent_id, position })
    setCreated(id)
    await refreshDocuments()
    return id
  } catch (error) {
    showError(error)
    return undefined
  }
}

export async function renameDocument(node: TreeNode, next: string): Promise<void> {
  const { id, title, slug } = node
  const rename = async (changes: { title: string; slug?: string | null }) => {
    await kith.documents.update(id, changes)
    await refreshDocuments()
  }
  await rename(renamed(node, next))
  offerUndo(`Renamed to ${next}`, () => rename({ title, slug }))
}

export async function moveDocument(
  node: TreeNode,
  parent_id: string | null,
  position?: number,
): Promise<void> {
  const move = async (body: { parent_id: string | null; position?: number }) => {
    await kith.request('POST', '/api/kb/documents/{document_id}/move', {
      path: { document_id: node.id },
      body,
    })
    await refreshDocuments()
  }
  const before = { parent_id: node.parent_id, position: node.position }
  await move({ parent_id, ...(position === undefined ? {} : { position }) })
  offerUndo(`Moved ${node.title}`, () => move(before))
}

export async function deleteDocument({ id, title }: TreeNode): Promise<void> {
  try {
    await kith.documents.delete(id)
    await refreshDocuments()
    offerUndo(`Deleted ${title}`, async () => {
      await kith.documents.restore(id)
      await refreshDocuments()
    })
  } catch (error) {
    showError(error)
  }
}
