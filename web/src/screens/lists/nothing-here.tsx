/** A list without rows. */
import { Link } from '@tanstack/react-router'
import { Plus, SearchX } from 'lucide-react'
import { Button } from '#components/button.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import type { FieldKind } from '#data/fields.ts'

interface NothingHereProps {
  kind: FieldKind
  isFiltered: boolean
  onClear: () => void
  /** absent for people who only read */
  onCreate?: () => void
}

export const NothingHere = ({ kind, isFiltered, onClear, onCreate }: NothingHereProps) =>
  isFiltered ? (
    <EmptyState
      icon={SearchX}
      title="Nothing matches"
      action={<Button onClick={onClear}>Clear search and filters</Button>}
    >
      Remove a filter, or search for fewer words.
    </EmptyState>
  ) : (
    <EmptyState
      icon={Plus}
      title={`No ${kind === 'company' ? 'companies' : kind === 'activity' ? 'activities' : `${kind}s`} yet`}
      action={
        onCreate && (
          <Button variant="primary" onClick={onCreate}>
            New {kind}
          </Button>
        )
      }
    >
      {onCreate ? (
        <>
          Create the first one, or{' '}
          <Link to="/imports" className="text-accent-text hover:underline">
            import a file
          </Link>
          .
        </>
      ) : (
        'What your team adds is listed here.'
      )}
    </EmptyState>
  )
