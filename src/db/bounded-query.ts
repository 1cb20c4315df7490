/**
 * A statement whose result has a limit in bytes. Rows beyond it are dropped as they arrive, so that no statement can
 * fill the memory of the process; the caller gets ResultTooLarge once the statement has ended.
 */
import pg from 'pg'

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
    /** called for each row */
    handleDataRow(message: { length: number }): void
    /** an error that is set here makes it drop the rows that follow */
    _canceledDueToError: Error | false
    _result: { rows: unknown[] }
  }
}

class BoundedQuery extends pg.Query {
  #bytes = 0

  override handleDataRow(message: { length: number }): void {
    this.#bytes += message.length
    if (this.#bytes > MAX_RESULT_BYTES && !this._canceledDueToError) {
      this._canceledDueToError = new ResultTooLarge()
      this._result.rows = []
    }
    super.handleDataRow(message)
  }
}

export const runBounded = (client: pg.ClientBase, statement: pg.QueryConfig): Promise<pg.QueryResult> =>
  new Promise((resolve, reject) => {
    const done = (error: Error | undefined, result: pg.QueryResult) => {
      if (!error) return resolve(result)
      // the stack of a socket's event is useless
      Error.captureStackTrace(error)
      reject(error)
    }
    client.query(new BoundedQuery(statement, undefined, done))
  })
