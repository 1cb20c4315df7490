/**
 * Where the keyboard focus goes when another page opens: to its heading, and on the way back to the element that opened
 * the other page. The browser itself leaves it nowhere, because the old page is gone.
 */
import type { AnyRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

interface Position {
  /** of the element that had the focus; it is drawn anew with its page */
  mark: { name: string; value: string } | undefined
  top: number
  left: number
}

const STORED = 'kith.positions'
const MOST_POSITIONS = 50

/** By the key of the entry in the history; stored, because the history outlives a reload, too. */
const positions = new Map<string, Position>(storedPositions())

function storedPositions(): [string, Position][] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(STORED) ?? '[]')
    return Array.isArray(stored) ? stored : []
  } catch {
    return []
  }
}

const MARKS = ['data-cell', 'data-card', 'href', 'data-mark'] as const

/** Whether no element has the focus, or only the heading, which gets it when there is no better one. */
export const isFocusLost = (): boolean => document.activeElement?.matches('body, #content h1') ?? true

function markOf(element: Element | null): Position['mark'] {
  const marked = element?.closest(MARKS.map(name => `#content [${name}]`).join())
  const name = MARKS.find(one => marked?.hasAttribute(one))
  return name && { name, value: marked?.getAttribute(name) ?? '' }
}

interface Entry {
  pathname: string
  state: { __TSR_key?: string | undefined }
}

function remember({ state }: Entry): void {
  const scroller = document.querySelector('[data-scroller]')
  positions.set(state.__TSR_key ?? '', {
    mark: markOf(document.activeElement),
    top: scroller?.scrollTop ?? 0,
    left: scroller?.scrollLeft ?? 0,
  })
  try {
    sessionStorage.setItem(STORED, JSON.stringify([...positions].slice(-MOST_POSITIONS)))
  } catch {
    // blocked by the browser: a reload forgets them
  }
}

/** Where the person left this page, when they come back to it; a table needs it for its first rows. */
export const returnPosition = (): Position | undefined =>
  positions.get((history.state as Entry['state'] | null)?.__TSR_key ?? '')

let stop = (): void => {}

/** Focuses the element as soon as the page has it, and its heading until then; ends with what the person does next. */
function focusWhenDrawn(mark: Position['mark']): void {
  stop()
  const selector = mark && `#content [${mark.name}=${JSON.stringify(mark.value)}]`
  let heading: HTMLElement | null = null
  const attempt = () => {
    const active = document.activeElement
    // a field of the new page that has focused itself, or a button that both pages have
    if (!isFocusLost() && active?.closest('#content, [role="dialog"]:not([data-toast])')) return
    const target = selector ? document.querySelector<HTMLElement>(selector) : null
    if (target) {
      target.focus()
      stop()
      return
    }
    if (heading?.isConnected && active === heading) return
    heading = document.querySelector<HTMLElement>('#content h1')
    heading?.focus({ preventScroll: true })
  }
  const observer = new MutationObserver(attempt)
  const input = new AbortController()
  stop = () => {
    observer.disconnect()
    input.abort()
  }
  observer.observe(document.body, { childList: true, subtree: true })
  for (const type of ['keydown', 'pointerdown'])
    addEventListener(type, () => stop(), { capture: true, signal: input.signal })
  attempt()
}

export function manageFocus(router: AnyRouter): void {
  router.subscribe('onBeforeNavigate', ({ fromLocation, pathChanged }) => {
    if (!fromLocation || !pathChanged) return
    stop()
    remember(fromLocation)
  })
  router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    if (!fromLocation || !pathChanged) return
    const previous = positions.get(fromLocation.state.__TSR_key ?? '')?.mark
    // the same button of the next record
    const same = previous?.name === 'data-mark' ? previous : undefined
    focusWhenDrawn(returnPosition()?.mark ?? same)
  })
}

/**
 * Inside a dialog: when it goes, the focus returns to the element that opened it, or to the heading if that is gone,
 * such as an item of a menu. Base UI does the same, but not for a dialog that is removed while it is open.
 */
export function ReturnFocus(): null {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body) return
        const heading = document.querySelector('#content h1')
        const target = opener?.isConnected && opener !== document.body ? opener : heading
        if (target instanceof HTMLElement) target.focus()
      })
    },
    [opener],
  )
  return null
}
