/** Reads the parts of an operation out of the generated types. */
import type { components, paths } from './generated/openapi.ts'

export type Schemas = components['schemas']
export type Path = keyof paths
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The paths that have an operation for this method. */
export type PathWith<M extends Method> = {
  [P in Path]: Lowercase<M> extends keyof paths[P] ? P : never
}[Path]

/** `never` where the document has no such operation. */
export type Operation<M extends Method, P> = P extends Path
  ? Lowercase<M> extends keyof paths[P]
    ? paths[P][Lowercase<M>]
    : never
  : never

export type Query<O> = O extends { parameters: { query?: infer Q } } ? NonNullable<Q> : Record<never, never>

type PathParameters<O> = O extends { parameters: { path: infer Values } } ? Values : never

type Content<O> = O extends { requestBody?: infer R } ? (R extends { content: infer C } ? C : never) : never

/** A form is given as an object; its file is a Blob or, with a name, a File. */
type FormBody<B> = Omit<B, 'file'> & { file: Blob }

type BodyOf<C> = C extends { 'application/json': infer B }
  ? B
  : C extends { 'multipart/form-data': infer B }
    ? FormBody<B>
    : never

export type Body<O> = BodyOf<Content<O>>

type Contents<R> = { [Status in keyof R]: R[Status] extends { content: infer C } ? C : never }[keyof R]

type AnswerOf<C> = C extends { 'application/json': infer B }
  ? B
  : C extends { 'text/event-stream': unknown }
    ? never
    : keyof C extends `text/${string}`
      ? string
      : Blob

/** What a successful call returns: the JSON, a text or a Blob. */
export type Answer<O> = O extends { responses: infer R } ? AnswerOf<Contents<R>> : never

export type ItemOf<Page> = Page extends { items: (infer Item)[] } ? Item : never

/** For every call. */
export interface CallOptions {
  signal?: AbortSignal | undefined
  headers?: Record<string, string> | undefined
  /** milliseconds for each attempt */
  timeoutMs?: number | undefined
  /** chooses the key of a POST, for example to repeat it after a restart */
  idempotencyKey?: string | undefined
  /** writes only if the record has not changed since: a record that was read alone, or its ETag */
  ifMatch?: string | object | undefined
}

type Part<Key extends string, T, IsRequired extends boolean> = [T] extends [never]
  ? unknown
  : IsRequired extends true
    ? { [K in Key]: T }
    : { [K in Key]?: T | undefined }

/** Path parameters, query and body of an operation, each where it has one. */
export type RequestOptions<O> = CallOptions &
  Part<'path', PathParameters<O>, true> &
  Part<'query', Query<O>, false> &
  Part<'body', Body<O>, O extends { requestBody: unknown } ? true : false>

/** The options may be left out where nothing is required. */
export type RequestArguments<O> =
  Record<never, never> extends RequestOptions<O>
    ? [options?: RequestOptions<O>]
    : [options: RequestOptions<O>]
