/** The interface of the models that turn a recording into text. */

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
  /** as the caller set it; null: to be detected */
  language: string | null
  /** names around the linked record, so that they are spelled correctly */
  names: readonly string[]
  signal: AbortSignal
  /** All segments so far, and how much of the recording they cover, from 0 to 1. The next piece waits for it. */
  onProgress(segments: readonly Segment[], share: number): Promise<void>
}

export interface Transcript {
  segments: Segment[]
  duration: number
  language: string | null
}

export interface Recognizer {
  /** the model's name as the record shows it */
  readonly provider: string
  transcribe(recording: Recording): Promise<Transcript>
}

/** The recording itself cannot be transcribed; the message is for the user who uploaded it. */
export class SpeechFailed extends Error {}
