import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { Form } from '#components/form.tsx'
import { FieldInput, Labelled } from '#components/labelled.tsx'
import { Select } from '#components/select.tsx'
import { foldersFor, moveDocument, renameDocument, type TreeNode, useTree } from './tree.ts'

interface NodeDialogProps {
  node: TreeNode
  onClose: () => void
}

const ROOT = 'root'

export function MoveDialog({ node, onClose }: NodeDialogProps) {
  const { data = [] } = useTree()
  const [target, setTarget] = useState(node.parent_id ?? ROOT)
  const folders = foldersFor(data, node)
  const submit = async () => {
    await moveDocument(node, target === ROOT ? null : target)
    onClose()
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Move ${node.title}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form="move">
            Move
          </Button>
        </>
      }
    >
      <Form id="move" className="flex flex-col gap-3" onSubmit={submit}>
        <Select
          label="Folder"
          value={target}
          options={[
            { value: ROOT, label: 'No folder' },
            ...folders.map(({ node: folder, path }) => ({
              value: folder.id,
              label: [...path, folder.title].join(' / '),
            })),
          ]}
          onChange={setTarget}
        />
      </Form>
    </Dialog>
  )
}

export function RenameDialog({ node, onClose }: NodeDialogProps) {
  const [title, setTitle] = useState(node.title)
  const submit = async () => {
    if (title.trim() !== node.title) await renameDocument(node, title.trim())
    onClose()
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Rename ${node.title}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form="rename">
            Rename
          </Button>
        </>
      }
    >
      <Form id="rename" className="flex flex-col gap-3" onSubmit={submit}>
        <Labelled name="title" label="Title">
          <FieldInput
            value={title}
            required
            autoFocus
            onFocus={event => event.currentTarget.select()}
            maxLength={255}
            onChange={event => setTitle(event.currentTarget.value)}
          />
        </Labelled>
      </Form>
    </Dialog>
  )
}
