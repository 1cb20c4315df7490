import { Globe, Lock } from 'lucide-react'
import { Button } from '#components/button.tsx'
import { useUpdate } from '#data/records.ts'
import { useSignedIn } from '#data/session.ts'
import type { Document } from './page.tsx'
import { refreshDocuments } from './tree.ts'

/** Whether people outside the account can read the page, and where. */
export function PublicSwitch({ document: { id, slug, title, visibility } }: { document: Document }) {
  const { account } = useSignedIn()
  const update = useUpdate('documents')
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
        <a
          href={address}
          target="_blank"
          rel="noreferrer"
          className="truncate text-accent-text underline underline-offset-2"
        >
          {address}
        </a>
      )}
    </>
  )
}
