/**
 * A statement whose result has a limit in bytes. Rows beyond it are dropped as they arrive, so that no statement can
 * fill the memory of the process; the caller gets ResultTooLarge once the statement has ended.
 */
import pg from 'pg'
import { JsonCollector, type JsonRows } from './json-rows.ts'
import type { RawRow } from './raw-rows.ts'
import { describedBefore, remember, rowOf, type Shape, shapeFrom } from './row-shapes.ts'

export const MAX_RESULT_BYTES = 64 * 1024 * 1024

/** A statement returned more bytes than the limit. */
export class ResultTooLarge extends Error {
  constructor() {
    super(`a statement gave more than ${MAX_RESULT_BYTES} bytes`)
  }
}

declare module 'pg' {
  /** Undocumented members of node-postgres. */
  interface Query {
    name: string
    /** sends parse, bind, describe, execute and sync */
    prepare(connection: pg.Connection): void
    handleRowDescription(message: { fields: pg.FieldDef[] }): void
    /** called for each row */
    handleDataRow(message: RawRow): void
    /** an error that is set here is what the statement fails with */
    _canceledDueToError: Error | false
    _result: { rows: unknown[]; fields: pg.FieldDef[]; _parsers: ((text: string) => unknown)[] }
  }
}

class BoundedQuery extends pg.Query {
  #bytes = 0
  #connection: pg.Connection | undefined
  #shape: Shape | undefined
  readonly #json: JsonCollector | undefined

  /** The text is passed alone, because node-postgres copies a config with its property descriptors: 2 % of a read. */
  constructor({ name, text, values, asJson }: Statement, done: Done) {
    super(text, values, done)
    if (name !== undefined) this.name = name
    if (asJson) this.#json = new JsonCollector()
  }

  /** The rows, if the statement asked for JSON. */
  jsonRows(): JsonRows | undefined {
    return this.#json?.end()
  }

  /** The columns of a prepared statement are described once for each connection. */
  override prepare(connection: pg.Connection): void {
    const before = describedBefore(connection, this.name)
    this.#shape = before?.shape
    this.#connection = connection
    super.prepare(before?.undescribed ?? connection)
  }

  override handleRowDescription(message: { fields: pg.FieldDef[] }): void {
    super.handleRowDescription(message)
    const { fields, _parsers } = this._result
    const shape = shapeFrom(fields, _parsers)
    this.#shape = this.#connection && this.name ? remember(this.#connection, this.name, shape) : shape
  }

  override handleDataRow(row: RawRow): void {
    this.#bytes += row.length
    if (this.#bytes > MAX_RESULT_BYTES && !this._canceledDueToError) {
      this._canceledDueToError = new ResultTooLarge()
      this._result.rows = []
    }
    if (this._canceledDueToError || !this.#shape) return
    try {
      if (this.#json) this.#json.add(this.#shape, row)
      else this._result.rows.push(rowOf(this.#shape, row.fields))
    } catch (error) {
      this._canceledDueToError = error instanceof Error ? error : new Error(String(error))
    }
  }
}

export interface Statement {
  /** prepared under this name */
  name: string | undefined
  text: string
  values: unknown[]
  /** the only row of the result is a `JsonRows` */
  asJson?: boolean
}

type Done = (error: Error | undefined, result: pg.QueryResult) => void

export const runBounded = (client: pg.ClientBase, statement: Statement): Promise<pg.QueryResult> =>
  new Promise((resolve, reject) => {
    const done: Done = (error, result) => {
      if (!error) return resolve(withJson(result, query.jsonRows()))
      // the stack of a socket's event is useless
      Error.captureStackTrace(error)
      reject(error)
    }
    const query = new BoundedQuery(statement, done)
    client.query(query)
  })

function withJson(result: pg.QueryResult, json: JsonRows | undefined): pg.QueryResult {
  if (json) result.rows = [json]
  return result
}
