/** The selected rows, also with shift for a range. */
import { useCallback, useRef, useState } from 'react'

export interface Selection {
  ids: ReadonlySet<string>
  toggle: (id: string, index: number, isRange?: boolean) => void
  setAll: (ids: Iterable<string>) => void
  clear: () => void
}

export function useSelection(idAt: (index: number) => string | undefined): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const anchor = useRef(0)
  const lookUp = useRef(idAt)
  lookUp.current = idAt

  const toggle = useCallback((id: string, index: number, isRange = false) => {
    const start = isRange ? Math.min(anchor.current, index) : index
    const end = isRange ? Math.max(anchor.current, index) : index
    anchor.current = index
    setIds(current => {
      const next = new Set(current)
      const isAdding = !current.has(id)
      for (let position = start; position <= end; position++) {
        const each = position === index ? id : lookUp.current(position)
        if (each === undefined) continue
        if (isAdding) next.add(each)
        else next.delete(each)
      }
      return next
    })
  }, [])
  const setAll = useCallback((all: Iterable<string>) => setIds(new Set(all)), [])
  const clear = useCallback(() => setIds(new Set()), [])
  return { ids, toggle, setAll, clear }
}
