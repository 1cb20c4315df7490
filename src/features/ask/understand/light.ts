/** Words of a question that hardly tell what is asked. */
const LIGHT = new Set(
  `a an the of in on at by for to from with and is are was were be been being am do does did have has had having will
  can should shall may must i we us our my me you your they them their it its he she his her him there here that this
  these those which what who whom whose how where when show list give tell name names find get let want need know see
  please pls just also still so far now right currently really exactly already yet as well us any some such one ones
  thing things kind sort please thanks thank hi hello hey ok okay anyone anybody someone somebody got go goes going come
  comes came look looking up out about s re ve ll d m i.e e.g than then too very quite ever our ours mine say says said
  like make made work works working based located record records recorded entry entries field crm system database file
  altogether total together overall each per all them among within across actually question quick something although though - + @ = / # & etc
  y/n other others whether w wonder wondering curious kindly help check
  anything`.split(/\s+/),
)

export const isLight = (word: string): boolean => LIGHT.has(word)
