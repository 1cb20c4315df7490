import { useRouter } from '@tanstack/react-router'
import { CloudAlert } from 'lucide-react'
import { Button } from '#components/button.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { messageOf } from '#data/client.ts'

/** In place of a screen that could not be shown. */
export function Failure({ error }: { error: unknown }) {
  const router = useRouter()
  return (
    <main className="h-full bg-surface">
      <EmptyState
        icon={CloudAlert}
        title="This screen could not be shown"
        action={<Button onClick={() => router.invalidate()}>Try again</Button>}
      >
        {messageOf(error)}
      </EmptyState>
    </main>
  )
}
