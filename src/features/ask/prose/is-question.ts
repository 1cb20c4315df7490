/** Whether a text asks something, by its mark or its first word. German words stand beside the English ones. */
const FIRST_WORDS = new Set(
  `who whom whose what when where which why how is are was were do does did can could will would should shall has have had
  may might must wer wen wem wessen was wann wo wohin woher welche welcher welches welchen warum wieso wie ist sind war
  waren hat haben hatte hatten kann können wird werden darf soll muss`.split(/\s+/),
)

export const isQuestion = (text: string): boolean =>
  text.trimEnd().endsWith('?') || FIRST_WORDS.has(/^\P{L}*(\p{L}+)/u.exec(text)?.[1]?.toLowerCase() ?? '')
