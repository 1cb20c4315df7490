/** Wordings whose words say what they mean only together, in plainer words: "leave Toronto out" is "excluding Toronto". */
const PLAINER: readonly [wording: RegExp, plainer: string][] = [
  [/\b(?:if (?:you|we|i) )?leav(?:e|es|ing) ((?:[^\s,;:.?!]+ ){1,6}?)(?:out|aside)\b/giu, 'excluding $1'],
  [/\bif ((?:[^\s,;:.?!]+ ){1,6}?)(?:is|are)(?:n['’]t| not) (?:counted|included)\b/giu, 'excluding $1'],
  [/\bleav(?:e|es|ing) (?:out|aside)\b/giu, 'excluding'],
  [/(?<!\bnot )\b((?:the )?(?:\p{L}+ ones|won|lost|open|closed)) included\b/giu, 'including $1'],
  [/= ?no\b/giu, 'written no'],
  [/\bnon-(?=\p{L})/giu, 'non '],
  [/(?<=\p{L})-(?:based|billed)\b/giu, ''],
  [/(?<!\b(?:or|say|says|written|explicitly|clearly) )\bno\. (?=\p{L}|\d)/giu, 'number '],
  [/\bjust (?=for\b)/giu, 'only '],
  [/\bseveral (?=\p{L})/giu, 'at least two '],
  // "that should have closed but haven't" says no more than that they should have
  [
    /,? (?:but|and)(?: still| yet)? (?:have|has|are|is|was|were)(?: not|n[’' ]?t)(?=\s*(?:[.?!,;:)]|$))/giu,
    '',
  ],
  [/,? (?:and )?if (?:so|there (?:are|is) (?:any|one))\b/giu, ','],
  [/\b(?:(?:in|with) )?(?:(?:some|any) other|another) \p{L}+ than\b/giu, 'not'],
  [/(?<=n['’]t\b[^?.!]*|\bnot\b[^?.!]*) any ?more\b(?! than)/giu, ''],
  [/\btop(?:s|ping)? (?=[$€£]?\d+(?:[.,]\d+)?[km]\b|[$€£]?\d{1,3}[.,]?\d{3}\b)/giu, 'over '],
  [/(?<![\p{L}\d.-])(\d+(?:\.\d+)?[km]) ?[-–] ?(\d+(?:\.\d+)?[km])\b/giu, 'between $1 and $2'],
  [/(?<![\p{L}\d.-])(\d+(?:\.\d+)?) ?[-–] ?(\d+(?:\.\d+)?)([km])\b/giu, 'between $1$3 and $2$3'],
  [/\bhow many people (do(?:es)? .+?) employ\b/giu, 'how many employees $1 have'],
  [
    /\bmore ((?:[^\s,;:.?!]+ ){1,5}?)than (?:(?:at|in|with|for) )?any(?:one|body|where)?(?: (?:other|else))+\b/giu,
    'the most $1',
  ],
  [/\b(?:up to and including|through to)\b/giu, 'until'],
]

/** `isNamed`: the account has a value or a record of that name ("Non-profit"). */
export const plainly = (question: string, isNamed: (word: string) => boolean): string =>
  PLAINER.reduce(
    (text, [wording, plainer]) => (namedIn(text, wording, isNamed) ? text : text.replace(wording, plainer)),
    question,
  )

const namedIn = (text: string, wording: RegExp, isNamed: (word: string) => boolean): boolean =>
  (text.match(/\p{L}+(?:-\p{L}+)+/gu) ?? []).some(
    word => word.search(wording) >= 0 && isNamed(word.toLowerCase()),
  )
