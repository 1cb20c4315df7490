/** Codes of ISO 4217 that are not the currency of a country, which the runtime's list does not have. */
const UNUSUAL = 'BOV CHE CHW CLF COU MXV USN UYI UYW VED XAG XAU XDR XPD XPT XSU XUA'.split(' ')
const CODES = new Set([...Intl.supportedValuesOf('currency'), ...UNUSUAL])

/** In any case. */
export const isCurrencyCode = (text: string): boolean => CODES.has(text.toUpperCase())
