/**
 * Saves the text of a page. A save names the version that it is based on: where another tab or person has written
 * meanwhile, the text is not saved until the person has chosen one of both.
 */
export type Content = Record<string, unknown>

/** A version of the page, as the service returned it. */
export interface Version {
  content: Content | null
  content_markdown: string | null
  updated_at: string
}

export interface Conflict {
  mine: Content
  theirs: Version
}

export interface Saving {
  state: 'saved' | 'changed' | 'saving'
  /** the version that the editor shows, apart from what is written in it */
  shown: Version
  conflict?: Conflict
}

/** A text that the service may not have. */
export interface Draft {
  content: Content
  /** the texts that it was written from, each as its `hashOf`: the page has one of them unless others have changed it */
  from: string[]
}

export interface PageStore {
  read(): Promise<Version>
  /** Undefined: the page is no longer the version. */
  write(content: Content, version: Version): Promise<Version | undefined>
  /** Stores it in the browser, or removes it: the page may be closed before the next save. */
  keep(draft: Draft | undefined): void
  onSaved(version: Version): Promise<void>
  onError(error: unknown): void
}

const hashes = new WeakMap<Content, string>()

/** The same for equal texts, whatever the order of their keys, which the service changes. */
function hashOf(content: Content | null): string {
  if (!content) return ''
  const hash = hashes.get(content) ?? newHashOf(content)
  // the text that a page is based on has the same hash at every key
  hashes.set(content, hash)
  return hash
}

/** The length of the text with its FNV-1a. */
function newHashOf(content: Content): string {
  const text = JSON.stringify(content, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  )
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return `${text.length}.${hash}`
}

/** The base of a draft that was written from a text that the page no longer has: any version differs from it. */
const ANOTHER_TEXT: Content = { type: 'unknown' }

export class PageSaver {
  readonly #store: PageStore
  readonly #listeners = new Set<() => void>()
  /** the version that the text in the editor is based on */
  #base: Version
  /** the version that the page has, as far as is known; the copy in the cache has lost its ETag */
  #newest: Version | undefined
  #unsaved: Content | undefined
  #sending: Content | undefined
  #running: Promise<void> | undefined
  #now: Saving

  /** `draft` is what was written here when the page was closed last. */
  constructor(shown: Version, store: PageStore, draft?: Draft) {
    this.#store = store
    const stored = hashOf(shown.content)
    if (!draft || hashOf(draft.content) === stored) {
      this.#base = shown
      this.#now = { state: 'saved', shown }
      if (draft) store.keep(undefined)
    } else {
      this.#base = draft.from.includes(stored) ? shown : { ...shown, content: ANOTHER_TEXT }
      this.#unsaved = draft.content
      this.#now = { state: 'changed', shown: { ...shown, content: draft.content } }
    }
  }

  readonly snapshot = (): Saving => this.#now
  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get hasUnsaved(): boolean {
    return this.#unsaved !== undefined
  }

  #set(next: Partial<Saving>): void {
    this.#now = { ...this.#now, ...next }
    for (const listener of this.#listeners) listener()
  }

  change(content: Content): void {
    const { conflict } = this.#now
    this.#unsaved = content
    const from = [this.#base.content, ...(this.#sending ? [this.#sending] : [])].map(hashOf)
    this.#store.keep({ content, from })
    this.#set({ state: 'changed', ...(conflict ? { conflict: { ...conflict, mine: content } } : {}) })
  }

  /** Shows a version that was read, unless something is being written here or the version is older. */
  adopt(version: Version): void {
    // renamed or published here: the next save reads the page first
    if (this.#newest && version.updated_at > this.#newest.updated_at) this.#newest = undefined
    if (this.#unsaved || this.#running || version.updated_at < this.#base.updated_at) return
    this.#base = version
    this.#set({ shown: version })
  }

  /** One save at a time: the second one is based on the first. */
  async save(): Promise<void> {
    if (this.#running) await this.#running
    this.#running ??= this.#saveOnce().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #saveOnce(): Promise<void> {
    const content = this.#unsaved
    if (!content || this.#now.conflict) return
    this.#unsaved = undefined
    this.#sending = content
    this.#set({ state: 'saving' })
    try {
      const theirs = await this.#write(content)
      if (theirs) {
        this.#unsaved ??= content
        this.#set({ conflict: { mine: this.#unsaved, theirs } })
      }
    } catch (error) {
      this.#unsaved ??= content
      this.#store.onError(error)
    }
    this.#sending = undefined
    if (!this.#unsaved) this.#store.keep(undefined)
    this.#set({ state: this.#unsaved ? 'changed' : 'saved' })
  }

  /** Returns the version of somebody else, if the page has another text than the one that this is based on. */
  async #write(content: Content): Promise<Version | undefined> {
    for (;;) {
      const saved = this.#newest && (await this.#store.write(content, this.#newest))
      if (saved) {
        this.#base = saved
        this.#newest = saved
        await this.#store.onSaved(saved)
        return undefined
      }
      this.#newest = await this.#store.read()
      if (hashOf(this.#newest.content) !== hashOf(this.#base.content)) return this.#newest
    }
  }

  /**
   * Saves the rest. Returns whether the person left without choosing one of two texts: the page has theirs then, and
   * mine is among its revisions.
   */
  async leave(): Promise<boolean> {
    await this.save()
    if (!this.#now.conflict) return false
    await this.decide('theirs')
    return !this.hasUnsaved
  }

  /** The text that is not chosen is among the revisions: theirs is already, mine is saved before theirs is again. */
  async decide(choice: 'mine' | 'theirs'): Promise<void> {
    const { conflict } = this.#now
    if (!conflict) return
    this.#base = conflict.theirs
    const { conflict: _decided, ...rest } = this.#now
    this.#now = rest
    await this.save()
    if (choice === 'mine' || this.#unsaved) return
    this.#unsaved = conflict.theirs.content ?? { type: 'doc', content: [] }
    await this.save()
    this.#set({ shown: this.#base })
  }
}
