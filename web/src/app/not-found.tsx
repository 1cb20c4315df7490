import { Link } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { buttonClass } from '#components/button.tsx'
import { EmptyState } from '#components/empty-state.tsx'

export default function NotFound() {
  return (
    <main className="h-full bg-surface">
      <EmptyState
        icon={Compass}
        title="There is nothing at this address"
        action={
          <Link to="/" className={buttonClass()}>
            Go to the start
          </Link>
        }
      >
        The link may be outdated, or the record may be in the trash.
      </EmptyState>
    </main>
  )
}
