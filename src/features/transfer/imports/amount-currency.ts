/** The currency of an amount: from its own column, from the amount's cell (`€ 500`), or from the import's options. */

import { codeOf, currencyOf, isOf } from '../../../lib/numbers/units.ts'
import { moneyFields } from '../../../resources/kinds.ts'
import type { Draft } from './draft.ts'
import { rowError } from './row-values.ts'

export interface Currencies {
  ofAccount: string
  /** of amounts that come without one */
  option: string | undefined
}

export function settleCurrency(draft: Draft, { ofAccount, option }: Currencies): void {
  const { currency, input } = draft
  if (typeof input.currency === 'string' && !settleCode(draft, input.currency, option ?? ofAccount)) return
  const field = moneyFields.find(name => input[name] !== undefined)
  if (field === undefined) return
  const amountError = (message: string) => rowError('value_error', message, null, null, field)
  if (currency === undefined) {
    input.currency ??= option
    return
  }
  if (typeof input.currency === 'string') {
    if (isOf(currency, input.currency.trim().toUpperCase())) return
    draft.errors.push(
      amountError(`The amount is not in ${input.currency}, which is the currency of this row`),
    )
    return
  }
  const code = codeOf(currency, option ?? ofAccount)
  if (code !== undefined) input.currency = code
  else draft.errors.push(amountError('Several currencies have this sign: set options.currency'))
}

const NAMES: Record<string, string> = {
  'us dollar': 'USD',
  'us-dollar': 'USD',
  pfund: 'GBP',
  'british pound': 'GBP',
  'pound sterling': 'GBP',
  franken: 'CHF',
  'schweizer franken': 'CHF',
  'swiss franc': 'CHF',
}

/** `€` and `Euro` → EUR; a text that may be several currencies, or is none, is refused. */
function settleCode({ input, errors }: Draft, text: string, ofAccount: string): boolean {
  const word = text.trim()
  const currency = currencyOf(word)
  const code = NAMES[word.toLowerCase()] ?? (currency && codeOf(currency, ofAccount))
  if (code !== undefined) {
    input.currency = code
    return true
  }
  const reason = currency ? 'may be several currencies' : 'is no currency'
  const message = `“${word.slice(0, 60)}” ${reason}: write the code of three letters, such as EUR`
  errors.push(rowError('value_error', message, text, null, 'currency'))
  return false
}
