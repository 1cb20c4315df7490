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

export interface PageStore {
  read(): Promise<Version>
  /** Undefined: the page is no longer the version. */
  write(content: Content, version: Version): Promise<Version | undefined>
  onSaved(version: Version): Promise<void>
  onError(error: unknown): void
}

const hasSameContent = (one: Version, other: Version): boolean =>
  JSON.stringify(one.content) === JSON.stringify(other.content)

export class PageSaver {
  readonly #store: PageStore
  readonly #listeners = new Set<() => void>()
  /** the version that the text in the editor is based on */
  #base: Version
  /** the version that the page has, as far as is known; the copy in the cache has lost its ETag */
  #newest: Version | undefined
  #unsaved: Content | undefined
  #running: Promise<void> | undefined
  #now: Saving

  constructor(shown: Version, store: PageStore) {
    this.#base = shown
    this.#store = store
    this.#now = { state: 'saved', shown }
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
      if (!hasSameContent(this.#newest, this.#base)) return this.#newest
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
