import { useState } from 'react'

/** A preference of this browser. Storage may be blocked; then it lasts as long as the page. */
export function useStored<T extends string>(key: string, initial: T): [T, (value: T) => void] {
  const [value, setValue] = useState(() => readStored(key) ?? initial)
  const store = (next: T) => {
    writeStored(key, next)
    setValue(next)
  }
  return [value as T, store]
}

export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(`kith.${key}`)
  } catch {
    return null
  }
}

export function writeStored(key: string, value: string): void {
  try {
    localStorage.setItem(`kith.${key}`, value)
  } catch {
    // blocked by the browser: the preference is not stored
  }
}

export function removeStored(key: string): void {
  try {
    localStorage.removeItem(`kith.${key}`)
  } catch {
    // blocked by the browser: nothing is stored
  }
}
