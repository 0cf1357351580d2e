/** One element of a document, with everything inside of it. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: { readonly [name: string]: string };
  readonly children: readonly XmlElement[];
}

interface Open extends XmlElement {
  readonly children: Open[];
}

const ENTITIES: { readonly [name: string]: string } = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/**
 * The elements of an XML text; undefined: it is not well-formed. Text between elements is passed over, and nothing
 * outside of the document is ever read: no document type, no external entity.
 */
export function readXml(text: string): XmlElement | undefined {
  const root: Open = { name: '', attributes: {}, children: [] };
  const open: Open[] = [root];
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    const skipped = endOfSkipped(text, at);
    if (skipped === -1) return undefined;
    if (skipped !== undefined) {
      at = skipped;
      continue;
    }
    const end = endOfTag(text, at + 1);
    if (end < 0) return undefined;
    const tag = text.slice(at + 1, end);
    if (tag.startsWith('/')) {
      if (open.length < 2 || open.pop()?.name !== tag.slice(1).trim()) return undefined;
    } else begin(tag, open);
    at = end;
  }
  return open.length === 1 ? root.children[0] : undefined;
}

function begin(tag: string, open: Open[]): void {
  const isClosed = tag.endsWith('/');
  const body = isClosed ? tag.slice(0, -1) : tag;
  const name = /^\S+/.exec(body)?.[0] ?? '';
  const attributes = Object.fromEntries(
    [...body.slice(name.length).matchAll(ATTRIBUTE)].map(([, key = '', double, single]) => [
      key,
      unescaped(double ?? single ?? ''),
    ]),
  );
  const element: Open = { name, attributes, children: [] };
  open.at(-1)?.children.push(element);
  if (!isClosed) open.push(element);
}

/** Where a comment, a text block, an instruction or a declaration ends; undefined: it is an element. */
function endOfSkipped(text: string, at: number): number | undefined {
  const ends: readonly (readonly [string, string])[] = [
    ['<!--', '-->'],
    ['<![CDATA[', ']]>'],
    ['<?', '?>'],
    ['<!', '>'],
  ];
  const found = ends.find(([start]) => text.startsWith(start, at));
  if (!found) return undefined;
  const end = text.indexOf(found[1], at + found[0].length);
  return end < 0 ? -1 : end + found[1].length;
}

/** The `>` of a tag; one inside of a quoted value is none. */
function endOfTag(text: string, from: number): number {
  let quote = '';
  for (let at = from; at < text.length; at++) {
    const char = text.charAt(at);
    if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === '>') return at;
  }
  return -1;
}

function unescaped(text: string): string {
  return text.replaceAll(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
