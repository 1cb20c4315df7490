/** What turns a recording into text. */

export interface Segment {
  /** seconds from the beginning */
  start: number
  end: number
  text: string
}

export interface Recording {
  path: string
  fileName: string
  mimeType: string
  /** as the caller knows it; null: to be found out */
  language: string | null
  /** of those whom it is about, so that they are written as they are spelt */
  names: readonly string[]
  signal: AbortSignal
  /** All segments so far, and how much of the recording they cover, from 0 to 1. The next piece waits for it. */
  onProgress(segments: readonly Segment[], share: number): Promise<void>
}

export interface Heard {
  segments: Segment[]
  duration: number
  language: string | null
}

export interface Recognizer {
  /** names the model, as the record shows it */
  readonly provider: string
  transcribe(recording: Recording): Promise<Heard>
}

/** The recording itself cannot be transcribed; the sentence is for the people who sent it. */
export class SpeechFailed extends Error {}
