/**
 * A search field above a list, for popovers: pick one, or several. The list is loaded when the first one opens: it is
 * a tenth of the script that a table would otherwise need before its first row.
 */
import { lazy, type ReactNode, Suspense } from 'react'
import { Skeleton } from './skeleton.tsx'

export interface PickerItem {
  value: string
  label: string
  icon?: ReactNode
  /** beside the label, in a weaker colour */
  detail?: string
}

export interface CommonProps {
  label: string
  items: readonly PickerItem[]
  /** with it the items are search results; without it the picker filters them itself */
  onSearch?: (text: string) => void
  isLoading?: boolean
  placeholder?: string
}

export interface PickerProps extends CommonProps {
  value: PickerItem | null
  onChange: (item: PickerItem | null) => void
}

export interface MultiPickerProps extends CommonProps {
  value: PickerItem[]
  onChange: (items: PickerItem[]) => void
}

const loadLists = () => import('./picker-list.tsx')
const OneList = lazy(async () => ({ default: (await loadLists()).OneList }))
const SeveralList = lazy(async () => ({ default: (await loadLists()).SeveralList }))

const Loading = () => (
  <div className="flex h-40 w-64 flex-col gap-3 p-3" role="status" aria-label="Loading">
    <Skeleton className="h-4 w-40" />
    <Skeleton className="h-4 w-48" />
  </div>
)

export const Picker = (props: PickerProps) => (
  <Suspense fallback={<Loading />}>
    <OneList {...props} />
  </Suspense>
)

export const MultiPicker = (props: MultiPickerProps) => (
  <Suspense fallback={<Loading />}>
    <SeveralList {...props} />
  </Suspense>
)
