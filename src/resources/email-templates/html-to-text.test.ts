import { expect, it } from 'vitest'
import { expectLinear } from '../../../test/support/cpu-time.ts'
import { htmlToText } from './html-to-text.ts'

it.each([
  ['', ''],
  ['plain', 'plain'],
  ['<p>Hello</p><p>World</p>', 'Hello\nWorld'],
  ['a<br>b<br/>c<BR />d', 'a\nb\nc\nd'],
  ['a<br><br>b', 'a\n\nb'],
  ['before<div>inside</div>after', 'before\ninside\nafter'],
  ['<b>bo</b>ld <i> and </i> wide', 'bold and wide'],
  ['  many \n\t spaces&nbsp;&nbsp;here ', 'many spaces here'],
  ['<ul><li>one</li><li>two <b>2</b></li></ul>end', '- one\n- two 2\nend'],
  ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\nc'],
  ['<script>alert("</p>")</script>x<style>p { a: b }</style>y', 'xy'],
  ['<SCRIPT type="a>b">no</ScRiPt >yes', 'yes'],
  ['<script>never ends', ''],
  ['<scripts>shown</scripts>', 'shown'],
  ['<html><head><title>T</title></head><body>B</body></html>', 'B'],
  ['a<!-- <p>comment</p> -->b<!doctype html><?xml ?>c', 'abc'],
  ['a <!-- never ends', 'a'],
  ['<a href="x>y" title=\'>\'>link</a>', 'link'],
  ['1 < 2 and 3 <4> 5', '1 < 2 and 3 <4> 5'],
  ['it’s <a', 'it’s'],
  ['&lt;b&gt; &amp;amp; &quot;q&quot; &#39;&#x41;&#66;', '<b> &amp; "q" \'AB'],
  ['caf&eacute; &Uuml;ber &szlig; &yuml; &euro; &hellip; &rarr;', 'café Über ß ÿ € … →'],
  ['&unknown; & &;', '&unknown; & &;'],
  ['&#0;|&#xD800;|&#9999999;|&#x10FFFF;', '\ufffd|\ufffd|\ufffd|\u{10ffff}'],
  ['İ<script>x</script>İ', 'İİ'],
])('reads %j as %j', (html, text) => {
  expect(htmlToText(html)).toBe(text)
})

/** Each of these takes quadratic time in a parser that backtracks. */
it.each([
  '<',
  '<a',
  '<a "',
  '<a b="',
  '<!--',
  '</',
  '<script></',
  '&',
  '&#',
  '<p>',
  ' <b>',
  '<script>',
  '</script',
  '<a \'="',
])('reads a million characters of %j in linear time', part =>
  expectLinear(length => htmlToText(part.repeat(length / part.length)), 1_000_000),
)
