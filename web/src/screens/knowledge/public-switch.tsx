import { Globe, Lock, Pencil } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '#components/button.tsx'
import { Form } from '#components/form.tsx'
import { FieldInput, Labelled } from '#components/labelled.tsx'
import { Popover } from '#components/popover.tsx'
import { useUpdate } from '#data/records.ts'
import { useSignedIn } from '#data/session.ts'
import type { Document } from './page.tsx'
import { refreshDocuments } from './tree.ts'

/** Whether people outside the account can read the page, and where. */
export function PublicSwitch({ document: { id, slug, title, visibility } }: { document: Document }) {
  const { account } = useSignedIn()
  const update = useUpdate('documents')
  const setSlug = useUpdate('documents', { isForm: true })
  const isPublic = visibility === 'public'
  const address = `/kb/${account.slug}/${slug}`
  const change = () =>
    update.mutate(
      {
        id,
        changes: { visibility: isPublic ? 'private' : 'public' },
        message: isPublic ? `${title} is private again` : `${title} is public now`,
      },
      { onSuccess: refreshDocuments },
    )
  const readdress = async (next: string) => {
    await setSlug.mutateAsync({ id, changes: { slug: next }, message: 'Changed the address' })
    void refreshDocuments()
  }
  return (
    <>
      <Button
        size="sm"
        role="switch"
        aria-checked={isPublic}
        disabled={account.role === 'viewer'}
        onClick={change}
        aria-label="Public page"
      >
        {isPublic ? <Globe size={13} className="text-good" /> : <Lock size={13} />}
        {isPublic ? 'Public' : 'Private'}
      </Button>
      {isPublic && (
        <>
          <a
            href={address}
            target="_blank"
            rel="noreferrer"
            className="truncate text-accent-text underline underline-offset-2"
          >
            {address}
          </a>
          {account.role !== 'viewer' && <AddressEditor slug={slug} onCommit={readdress} />}
        </>
      )}
    </>
  )
}

interface AddressEditorProps {
  slug: string
  onCommit: (slug: string) => Promise<void>
}

/** The last part of the address. Who has the old one no longer finds the page. */
function AddressEditor({ slug, onCommit }: AddressEditorProps) {
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState(slug)
  const toggle = (open: boolean) => {
    setText(slug)
    setOpen(open)
  }
  const submit = async () => {
    if (text.trim() !== slug) await onCommit(text.trim())
    setOpen(false)
  }
  const trigger = (
    <IconButton label="Change the address">
      <Pencil size={12} />
    </IconButton>
  )
  return (
    <Popover
      trigger={trigger}
      label="Change the address"
      isOpen={isOpen}
      onOpenChange={toggle}
      className="w-80 p-3"
    >
      <Form onSubmit={submit} className="flex flex-col gap-2">
        <Labelled name="slug" label="Last part of the address" hint="Links to the old address stop working">
          <FieldInput
            value={text}
            required
            autoFocus
            maxLength={255}
            onChange={event => setText(event.currentTarget.value)}
          />
        </Labelled>
        <Button type="submit" size="sm" variant="primary" className="self-end">
          Change
        </Button>
      </Form>
    </Popover>
  )
}
